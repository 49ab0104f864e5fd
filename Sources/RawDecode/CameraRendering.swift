import Containers
import ImageCore

/// The camera's rendering settings for its own JPEG, from Exif and the maker note.
///
/// Source: Exif 2.32 (ColorSpace, interoperability), DCF 2.0 (R03, file names starting with `_`),
/// and the maker note tags in ExifTool's documentation. Known failures: contrast, saturation and
/// sharpness set within a style are ignored; see also ``MakerNoteDirectory``.
package struct CameraRendering: Sendable, Hashable {
  /// The picture style and the dynamic range mode, as the maker's names or numbers separated by a
  /// slash; nil if not declared. Different values are different styles.
  package private(set) var style: String?
  /// Whether the picture is in Adobe RGB; nil if not declared.
  package private(set) var isAdobeRGB: Bool?

  init(style: String? = nil, isAdobeRGB: Bool? = nil) {
    (self.style, self.isAdobeRGB) = (style, isAdobeRGB)
  }

  /// Reads the settings of a raw file.
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

  /// Reads the settings from the Exif directory of a JPEG or a raw.
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
      // PictureControlData, with the name at another offset in version 3; ActiveD-Lighting.
      let isThird = note.name(0x23, maxLength: 4)?.hasPrefix("03") == true
      parts = [note.name(0x23, skipping: isThird ? 8 : 4, maxLength: 20), number(0x22)]
      space = number(0x1E)
    case .sony:
      // CreativeStyle, DynamicRangeOptimizer.
      parts = [note.name(0xB020, maxLength: 64), number(0xB025)]
    case .fujifilm:
      // FilmMode, Saturation for black and white modes, DevelopmentDynamicRange or
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
