import Codecs
import Containers
import Foundation
import ImageCore

/// The texts of a PNG (W3C PNG, 11.3.3): tEXt in Latin-1, zTXt compressed, iTXt in UTF-8. A keyword
/// of the standard that Exif has a tag for is taken where Exif lacks it. ImageMagick and programs
/// by it put whole blocks into texts, `Raw profile type exif`, `APP1`, `xmp` and `iptc`: a line
/// feed, the name, the number of bytes, and the bytes as hexadecimal digits in lines.
struct PNGText {
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var iptc: [UInt8]?
  private var texts: [String: String] = [:]

  private static let tags: [String: UInt16] = [
    "Description": 0x010E, "Title": 0x010E, "Author": 0x013B, "Copyright": 0x8298,
  ]
  private static let rawProfile = "Raw profile type "
  private static let exifHead = Array("Exif\0\0".utf8)
  private static let xmpHead = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// `name`: that of the chunk.
  mutating func add(_ name: String, _ data: [UInt8]) {
    guard let end = data.prefix(80).firstIndex(of: 0), end > 0 else { return }
    let keyword = String(decoding: data[..<end], as: UTF8.self)
    guard Self.tags[keyword] != nil || keyword.hasPrefix(Self.rawProfile),
      let text = Self.text(name, data, behind: end)
    else { return }
    if keyword.hasPrefix(Self.rawProfile) {
      addProfile(keyword.dropFirst(Self.rawProfile.count), text)
    } else if texts[keyword] == nil {
      // Latin-1 is the first 256 characters of Unicode.
      texts[keyword] =
        name == "iTXt"
        ? String(decoding: text, as: UTF8.self)
        : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }
  }

  /// The text of a chunk behind its keyword.
  private static func text(_ name: String, _ data: [UInt8], behind end: Int) -> [UInt8]? {
    func inflated(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
      ZlibStream.inflate(bytes, maxBytes: PNGChunks.maxTextBytes)
    }
    switch name {
    case "tEXt": return Array(data[(end + 1)...])
    case "zTXt":
      guard data.count > end + 2, data[end + 1] == 0 else { return nil }
      return inflated(data[(end + 2)...])
    default:
      guard data.count > end + 3, let language = data[(end + 3)...].firstIndex(of: 0),
        let translated = data[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      let text = data[(translated + 1)...]
      return data[end + 1] == 0 ? Array(text) : inflated(text)
    }
  }

  private mutating func addProfile(_ kind: Substring, _ text: [UInt8]) {
    guard let bytes = Self.profile(text) else { return }
    switch kind.lowercased() {
    case "exif", "app1":
      if bytes.starts(with: Self.xmpHead) {
        xmp = xmp ?? Array(bytes.dropFirst(Self.xmpHead.count))
      } else {
        exif = exif ?? Array(bytes.dropFirst(bytes.starts(with: Self.exifHead) ? 6 : 0))
      }
    case "xmp": xmp = xmp ?? bytes
    case "iptc": iptc = iptc ?? PhotoshopResources.iptc(in: bytes) ?? bytes
    default: break
    }
  }

  /// The bytes of a block that is written as digits; nil where these are others than it says.
  private static func profile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1], as: UTF8.self).filter { $0 != " " })
    else { return nil }
    let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 2 * count else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Adds what `metadata` lacks.
  func fill(_ metadata: inout CaptureMetadata) {
    if metadata.xmp == nil { metadata.xmp = xmp }
    if metadata.iptc == nil { metadata.iptc = iptc }
    for (keyword, tag) in Self.tags.sorted(by: { $0.key < $1.key }) {
      guard let text = texts[keyword], !text.isEmpty, metadata[.image, tag] == nil else { continue }
      metadata[.image, tag] = .ascii(text)
    }
  }
}
