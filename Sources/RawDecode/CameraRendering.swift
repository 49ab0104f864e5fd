import Containers
import ImageCore

/// How a camera made its own picture of a raw, as far as its Exif and its maker note say.
///
/// Source: Exif 2.32 (ColorSpace, interoperability), DCF 2.0 (R03, names that begin with `_`), and
/// the lists of makers' tags in ExifTool's documentation. Known failures: contrast, saturation and
/// sharpness that are set within a style are not looked at; those of ``MakerNoteDirectory``.
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
    if let structure = tiff ?? CaptureMetadata.fujiExif(file) {
      self.init(
        exif: structure.directory(.exif), make: structure.first[TIFFTag.make]?.text, structure)
    } else {
      self.init()
      if let block = (try? CR3Boxes(file))?.blocks["CMT2"],
        let exif = try? TIFFFile(file, base: block.lowerBound)
      {
        self.init(exif: exif.first, make: nil, exif)
      }
      if let note = MakerNoteDirectory(file, nil) { read(note) }
    }
  }

  /// What the Exif directory of a JPEG or a raw says.
  init(exif: TIFFDirectory?, make: String?, _ tiff: TIFFFile) {
    isAdobeRGB = tiff.isAdobeRGB(exif)
    if let note = MakerNoteDirectory(exif: exif, make: make, tiff) { read(note) }
  }

  private mutating func read(_ note: MakerNoteDirectory) {
    func number(_ tag: UInt16, _ index: Int = 0, in group: UInt16? = nil) -> String? {
      note.number(tag, index, in: group).map { "\($0)" }
    }
    var space: String?
    let parts: [String?]
    switch note.maker {
    case .canon:
      // ProcessingInfo; LightingOpt: highlight tone priority.
      parts = [number(0xA0, 10), number(0x4018, 3)]
      space = number(0xB4)
    case .nikon:
      // PictureControlData, whose third version has its name further on; ActiveD-Lighting.
      let isThird = note.name(0x23, most: 4)?.hasPrefix("03") == true
      parts = [note.name(0x23, skipping: isThird ? 8 : 4, most: 20), number(0x22)]
      space = number(0x1E)
    case .sony:
      // CreativeStyle, DynamicRangeOptimizer.
      parts = [note.name(0xB020, most: 64), number(0xB025)]
    case .fujifilm:
      // FilmMode, Saturation for those in black and white, DevelopmentDynamicRange or
      // AutoDynamicRange.
      parts = [number(0x1401), number(0x1003), number(0x1403) ?? number(0x140B)]
    case .panasonic: parts = [number(0x89)]
    case .pentax: parts = [number(0x4F)]
    case .olympus:
      // PictureMode in CameraSettings.
      parts = [number(0x520, in: 0x2020)]
    }
    if parts.contains(where: { $0 != nil }) {
      style = parts.map { $0 ?? "" }.joined(separator: "/")
    }
    isAdobeRGB = space.flatMap { ["1": false, "2": true][$0] } ?? isAdobeRGB
  }
}
