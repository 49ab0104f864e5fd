import Containers
import ImageCore

/// How a camera made its own picture of a raw, as far as its Exif and its maker note say.
///
/// Source: Exif 2.32 (ColorSpace, interoperability), DCF 2.0 (R03, names that begin with `_`), and
/// the lists of makers' tags in ExifTool's documentation. Read are the notes of Canon, Nikon, Sony,
/// Fujifilm, Panasonic, Pentax and Olympus. Known failures: contrast, saturation and sharpness that
/// are set within a style are not looked at; what Canon's CRW says is not read.
package struct CameraRendering: Sendable, Hashable {
  /// The picture style and the mode of the dynamic range, as the maker's own names or numbers with
  /// a slash between them; nil where the file does not say. Two that differ are two styles.
  package private(set) var style: String?
  /// Whether the picture is in Adobe RGB; nil where the file does not say.
  package private(set) var isAdobeRGB: Bool?

  init(style: String? = nil, isAdobeRGB: Bool? = nil) {
    (self.style, self.isAdobeRGB) = (style, isAdobeRGB)
  }

  /// What the file of these directories says.
  init(_ file: FileBytes, _ tiff: TIFFFile?) {
    if let tiff {
      self.init(exif: tiff.directory(.exif), make: tiff.first[0x010F]?.text, tiff)
    } else if let block = CaptureMetadata.fujiExif(file) {
      self.init(exif: block.directory(.exif), make: block.first[0x010F]?.text, block)
    } else {
      self.init()
      let blocks = (try? CR3Boxes(file))?.blocks ?? [:]
      func structure(_ name: String) -> TIFFFile? {
        blocks[name].flatMap { try? TIFFFile(file, base: $0.lowerBound) }
      }
      if let exif = structure("CMT2") { self.init(exif: exif.first, make: nil, exif) }
      if let note = structure("CMT3") { read(note.first, note, .canon) }
    }
  }

  /// What the Exif directory of a JPEG or a raw says.
  init(exif: TIFFDirectory?, make: String?, _ tiff: TIFFFile) {
    switch exif?[0xA001]?.integer {
    case 1: isAdobeRGB = false
    // Not in the standard, but written.
    case 2: isAdobeRGB = true
    default: break
    }
    if let place = exif?[0xA005]?.integer, let index = tiff.directory(at: place)?[1]?.text {
      if index.hasPrefix("R03") { isAdobeRGB = true }
      if index.hasPrefix("R98") { isAdobeRGB = false }
    }
    guard let entry = exif?[0x927C], (16...4 << 20).contains(entry.count) else { return }
    let start = entry.bytes.prefix(16)
    func begins(_ text: String) -> Bool { start.starts(with: text.utf8) }
    let maker: (Maker, start: Int)? =
      if begins("SONY ") {
        (.sony, 12)
      } else if begins("Panasonic\0\0\0") {
        (.panasonic, 12)
      } else if make?.hasPrefix("SONY") == true {
        (.sony, 0)
      } else if make?.hasPrefix("Canon") == true {
        (.canon, 0)
      } else {
        nil
      }
    if let maker {
      read(tiff.directory(at: entry.offset + maker.start - tiff.base), tiff, maker.0)
    } else if begins("Nikon\0\u{2}") {
      let note = try? TIFFFile(tiff.file, base: entry.offset + 10)
      if let note { read(note.first, note, .nikon) }
    } else if let (maker, header) = Self.header(Array(start)),
      let file = try? FileBytes(header + entry.bytes.dropFirst(8), of: tiff.file),
      let note = try? TIFFFile(file)
    {
      read(note.first, note, maker)
    }
  }

  private enum Maker { case canon, nikon, sony, fujifilm, panasonic, pentax, olympus }

  /// The header that makes a TIFF structure of a note whose offsets count from its own start.
  private static func header(_ start: [UInt8]) -> (Maker, [UInt8])? {
    if start.starts(with: "FUJIFILM".utf8) {
      return (.fujifilm, [0x49, 0x49, 42, 0] + start[8..<12])
    }
    let (maker, directory): (Maker, UInt8) =
      start.starts(with: "PENTAX \0".utf8) ? (.pentax, 10) : (.olympus, 12)
    guard maker == .pentax || start.starts(with: "OLYMPUS\0".utf8) else { return nil }
    let isBig = start[8] == 0x4D
    return (
      maker,
      isBig ? [0x4D, 0x4D, 0, 42, 0, 0, 0, directory] : [0x49, 0x49, 42, 0, directory, 0, 0, 0]
    )
  }

  private mutating func read(_ note: TIFFDirectory?, _ tiff: TIFFFile, _ maker: Maker) {
    guard let note else { return }
    func number(_ tag: UInt16, _ index: Int = 0, of directory: TIFFDirectory? = nil) -> String? {
      guard let values = (directory ?? note)[tag]?.integers(atMost: 1024), values.count > index
      else { return nil }
      return "\(values[index])"
    }
    func text(_ bytes: ArraySlice<UInt8>?) -> String? {
      bytes.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self).asName }.flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    var space: String?
    let parts: [String?]
    switch maker {
    case .canon:
      // ProcessingInfo; LightingOpt: highlight tone priority.
      parts = [number(0xA0, 10), number(0x4018, 3)]
      space = number(0xB4)
    case .nikon:
      // PictureControlData, ActiveD-Lighting.
      parts = [text(note[0x23]?.bytes.dropFirst(4).prefix(20)), number(0x22)]
      space = number(0x1E)
    case .sony:
      // CreativeStyle, DynamicRangeOptimizer.
      parts = [text(note[0xB020]?.bytes.prefix(64)), number(0xB025)]
    case .fujifilm:
      // FilmMode, Saturation for those in black and white, DevelopmentDynamicRange.
      parts = [number(0x1401), number(0x1003), number(0x1403)]
    case .panasonic: parts = [number(0x89)]
    case .pentax: parts = [number(0x4F)]
    case .olympus:
      // PictureMode in CameraSettings.
      parts = [
        note[0x2020]?.integer.flatMap { place in
          tiff.directory(at: place).flatMap { number(0x520, of: $0) }
        }
      ]
    }
    if parts.contains(where: { $0 != nil }) {
      style = parts.map { $0 ?? "" }.joined(separator: "/")
    }
    isAdobeRGB = space.flatMap { ["1": false, "2": true][$0] } ?? isAdobeRGB
  }
}
