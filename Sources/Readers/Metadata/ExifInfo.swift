import Containers
import HDRRender
import ImageCore

/// The Exif block of a picture file (CIPA DC-008): a TIFF structure within the file. A damaged
/// block is left out, with a note; it never makes the picture unreadable.
struct ExifInfo: Sendable {
  var metadata = CaptureMetadata()
  var orientation: Orientation = .up
  /// MakerApple 33 and 48; nil for other cameras, and where 33 is missing.
  var maker: AppleGainMap.MakerValues?
  /// Whether the picture is in Adobe RGB; nil where undeclared.
  var isAdobeRGB: Bool?
  /// That the block is damaged.
  private(set) var notes: [String] = []

  /// The note on values, such as a profile, that should be in the file.
  static let cutNote = "some values have offsets past its end and were left out"

  private static let damaged = ExifInfo(notes: ["the Exif block is damaged and was left out"])

  /// `block` of `file` starts with the byte order mark.
  init(_ block: [UInt8], of file: FileBytes) {
    do throws(FormatError) {
      guard let tiff = try TIFFFile(FileBytes(block, of: file)) else {
        self = .damaged
        return
      }
      self.init(tiff)
      if tiff.pointsOutside { notes.append("the Exif block: \(Self.cutNote)") }
    } catch {
      self = .damaged
      if error.code == .tooLarge {
        notes = ["the Exif block was left out: \(error.message)"]
      }
    }
  }

  /// `tiff` is the block, or a complete file.
  init(_ tiff: TIFFFile) {
    metadata = CaptureMetadata(tiff)
    for tag in CaptureMetadata.resolutionTags {
      metadata[.image, tag] = tiff.first[tag]?.exifValue
    }
    if metadata.dotsPerInch == nil {
      for tag in CaptureMetadata.resolutionTags { metadata[.image, tag] = nil }
    }
    isAdobeRGB = tiff.isAdobeRGB(tiff.directory(.exif))
    orientation =
      tiff.first[TIFFTag.orientation]?.integer.flatMap(Orientation.init(rawValue:)) ?? .up
    maker = tiff.directory(.exif)?[AppleMakerNote.tag].flatMap {
      AppleMakerNote($0.bytes)?.headroom
    }
  }

  /// `item` of `file` is one of HEIF, or a box of JPEG XL.
  init(item: [UInt8], of file: FileBytes) {
    guard let start = ExifItem.start(in: item) else {
      self = .damaged
      return
    }
    self.init(Array(item[start...]), of: file)
  }

  init() {}

  private init(notes: [String]) { self.notes = notes }
}
