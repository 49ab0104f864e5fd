import Codecs
import Containers
import Foundation
import ImageCore

/// The texts of a PNG (W3C PNG, 11.3.3): tEXt in Latin-1, zTXt compressed, iTXt in UTF-8. Standard
/// keywords fill missing Exif tags: a title next to a description as Windows' title, a comment as
/// UserComment. ImageMagick and programs based on it put complete blocks into texts, `Raw profile
/// type exif`, `APP1`, `xmp` and `iptc`: a line feed, the name, the number of bytes, and the bytes
/// as hexadecimal digits in lines. Only the first text of a keyword is used and decompressed.
struct PNGText {
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var iptc: [UInt8]?
  private var texts: [String: String] = [:]

  private static let tags: [String: UInt16] = [
    "Description": 0x010E, "Title": 0x010E, "Author": 0x013B, "Copyright": 0x8298,
    "Comment": ExifEntry.userComment, "Creation Time": 0x9003,
  ]
  /// XPTitle, in UTF-16.
  private static let windowsTitle: UInt16 = 0x9C9B
  private static let rawProfile = "Raw profile type "
  private static let profiles: Set = ["exif", "app1", "xmp", "iptc"]
  /// Keywords found so far; block keywords in lower case.
  private var known: Set<String> = []

  /// `name`: name of the chunk.
  mutating func add(_ name: String, _ data: [UInt8]) {
    guard let end = data.prefix(80).firstIndex(of: 0), end > 0 else { return }
    var keyword = String(decoding: data[..<end], as: UTF8.self)
    let isProfile = keyword.hasPrefix(Self.rawProfile)
    if isProfile { keyword = keyword.dropFirst(Self.rawProfile.count).lowercased() }
    guard isProfile ? Self.profiles.contains(keyword) : Self.tags[keyword] != nil,
      known.insert(keyword).inserted, let text = Self.text(name, data, behind: end)
    else { return }
    if isProfile {
      addProfile(keyword, text)
    } else {
      // Latin-1 is the first 256 characters of Unicode.
      texts[keyword] =
        name == "iTXt"
        ? String(decoding: text, as: UTF8.self)
        : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }
  }

  /// The text of a chunk after its keyword.
  private static func text(_ name: String, _ data: [UInt8], behind end: Int) -> [UInt8]? {
    switch name {
    case "tEXt": return Array(data[(end + 1)...])
    case "zTXt":
      guard data.count > end + 2, data[end + 1] == 0 else { return nil }
      return ZlibStream.inflate(data[(end + 2)...], maxBytes: FormatLimits.textBytes)
    default: return international(data, behind: end)
    }
  }

  /// The text of an iTXt after the NUL at `end`: a flag for compression, its method 0, a language
  /// and a translated keyword with a NUL each, and the text.
  static func international(_ data: [UInt8], behind end: Int) -> [UInt8]? {
    guard data.count > end + 3, let language = data[(end + 3)...].firstIndex(of: 0),
      let translated = data[(language + 1)...].firstIndex(of: 0)
    else { return nil }
    let text = data[(translated + 1)...]
    guard text.count <= FormatLimits.textBytes, !text.isEmpty else { return nil }
    if data[end + 1] == 0 { return Array(text) }
    guard data[end + 1] == 1, data[end + 2] == 0 else { return nil }
    return ZlibStream.inflate(text, maxBytes: FormatLimits.textBytes)
  }

  private mutating func addProfile(_ kind: String, _ text: [UInt8]) {
    guard let bytes = Self.profile(text) else { return }
    /// The payload after the identifier of a JPEG segment.
    func behind(_ identifier: JPEGIdentifier) -> [UInt8]? {
      let name = Array(identifier.name.utf8)
      return bytes.starts(with: name) ? Array(bytes.dropFirst(name.count)) : nil
    }
    switch kind {
    case "exif", "app1":
      if let packet = behind(.xmp) {
        xmp = xmp ?? packet
      } else {
        exif = exif ?? behind(.exif) ?? bytes
      }
    case "xmp": xmp = xmp ?? bytes
    case "iptc": iptc = iptc ?? PhotoshopResources.iptc(in: bytes) ?? bytes
    default: break
    }
  }

  /// The bytes of a block written as hexadecimal digits; nil where their number is not the declared
  /// one.
  private static func profile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1], as: UTF8.self).filter { $0 != " " })
    else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in lines[2].lazy.compactMap(value(ofDigit:)) {
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return high == nil && bytes.count == count ? bytes : nil
  }

  private static func value(ofDigit letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Adds what `metadata` lacks.
  func fill(_ metadata: inout CaptureMetadata) {
    if metadata.xmp == nil { metadata.xmp = xmp }
    if metadata.iptc == nil { metadata.iptc = iptc }
    for (keyword, tag) in Self.tags.sorted(by: { $0.key < $1.key }) {
      guard let text = texts[keyword], !text.isEmpty else { continue }
      switch keyword {
      case "Comment":
        if metadata[.exif, tag] == nil { metadata[.exif, tag] = .comment(text) }
      case "Creation Time":
        if metadata[.exif, tag] == nil, let date = Self.exifDate(text) {
          metadata[.exif, tag] = .ascii(date)
        }
      case "Title" where metadata[.image, tag] != nil:
        if metadata[.image, Self.windowsTitle] == nil, metadata[.image, tag] != .ascii(text) {
          metadata[.image, Self.windowsTitle] = .bytes(
            (text.utf16 + [0]).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        }
      default: if metadata[.image, tag] == nil { metadata[.image, tag] = .ascii(text) }
      }
    }
  }

  /// A date as of Exif, `YYYY:MM:DD HH:MM:SS`, of one by Exif, ISO 8601 or RFC 1123.
  private static func exifDate(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    var parts = text.split { " ,:T-/".contains($0) }.map(String.init)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    // Tue, 03 Mar 2026 10:20:30 +0100
    if parts.count >= 7, let month = months.firstIndex(where: { parts[2].hasPrefix($0) }) {
      parts = [parts[3], "\(month + 1)", parts[1]] + parts[4...]
    }
    let numbers = parts.prefix(6).compactMap { Int($0.prefix { $0.isNumber }) }
    guard numbers.count == 6, 1800...9999 ~= numbers[0], 1...12 ~= numbers[1],
      1...31 ~= numbers[2], 0...23 ~= numbers[3], 0...59 ~= numbers[4], 0...60 ~= numbers[5]
    else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(numbers[0]):\(two(numbers[1])):\(two(numbers[2])) "
      + numbers[3...].map(two).joined(separator: ":")
  }
}
