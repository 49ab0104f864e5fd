import Containers
import ImageCore

/// Capture metadata as an Exif block (CIPA DC-008-2023): a little-endian TIFF structure.
enum EXIF {
  /// Tags that describe the file that contains them, by directory; those of the raw do not apply.
  private static let replaced: [ExifEntry.Directory: Set<UInt16>] = [
    .image: [0x0112, 0x0131, 0x0201, 0x0202, 0x8769, 0x8825],
    .exif: [0xA001, 0xA002, 0xA003, 0xA005],
    .gps: [],
  ]

  /// What Exif requires of a JPEG (CIPA DC-008 tables 17 and 18): 72 dpi, Exif's default, chroma
  /// centered between four pixels, Y Cb Cr, FlashPix 1.0.
  private static let ofJPEG = [
    ExifEntry(.image, 0x011A, .rationals([Rational(72, 1)])),
    ExifEntry(.image, 0x011B, .rationals([Rational(72, 1)])),
    ExifEntry(.image, 0x0128, .shorts([2])),
    ExifEntry(.image, 0x0213, .shorts([1])),
    ExifEntry(.exif, 0x9101, .undefined([1, 2, 3, 0])),
    ExifEntry(.exif, 0xA000, .undefined(Array("0100".utf8))),
  ]

  /// The version of Exif that is written.
  static let version = ExifEntry(.exif, 0x9000, .undefined(Array("0232".utf8)))

  /// The entries that describe the written picture: its color space, sRGB or uncalibrated, and its
  /// size.
  static func picture(_ size: PixelSize, isSRGB: Bool) -> [ExifEntry] {
    [
      ExifEntry(.exif, 0xA001, .shorts([isSRGB ? 1 : 65_535])),
      ExifEntry(.exif, 0xA002, .longs([UInt32(truncatingIfNeeded: size.width)])),
      ExifEntry(.exif, 0xA003, .longs([UInt32(truncatingIfNeeded: size.height)])),
    ]
  }

  /// The block of a JPEG: that of other files, with what Exif requires of a JPEG where it is
  /// missing.
  static func jpegBlock(
    _ metadata: CaptureMetadata, size: PixelSize, isSRGB: Bool, makerNote: [UInt8]? = nil
  ) -> [UInt8] {
    var metadata = metadata
    // These describe the written file.
    for tag: UInt16 in [0x0213, 0x9101] { metadata.entries.removeAll { $0.tag == tag } }
    metadata.entries += ofJPEG.filter { metadata[$0.directory, $0.tag] == nil }
    return block(metadata, size: size, isSRGB: isSRGB, makerNote: makerNote)
  }

  /// The entries of `metadata` with those of the written file: upright, `size`, and as color space
  /// sRGB or uncalibrated. A `makerNote` replaces any other. Starts with `II*\0`.
  static func block(
    _ metadata: CaptureMetadata, size: PixelSize, isSRGB: Bool = false, makerNote: [UInt8]? = nil
  ) -> [UInt8] {
    var entries = metadata.entries.filter { replaced[$0.directory]?.contains($0.tag) == false }
    entries += [
      ExifEntry(.image, 0x0112, .shorts([1])),
      ExifEntry(.image, 0x0131, .ascii("rawdev")),
    ]
    entries += picture(size, isSRGB: isSRGB)
    if metadata[.exif, version.tag] == nil { entries.append(version) }
    if let makerNote {
      entries.removeAll { $0.directory == .exif && $0.tag == AppleMakerNote.tag }
      entries.append(ExifEntry(.exif, AppleMakerNote.tag, .undefined(makerNote)))
    }
    return block(entries)
  }

  /// Little-endian; the directories of Exif and GPS follow the first one. Of two entries with one
  /// tag the first counts.
  private static func block(_ entries: [ExifEntry]) -> [UInt8] {
    func fields(_ directory: ExifEntry.Directory) -> [TIFFField] {
      var seen: Set<UInt16> = []
      return entries.filter { $0.directory == directory }.map { TIFFField($0.tag, $0.value) }
        .filter { $0.count > 0 && seen.insert($0.tag).inserted }
    }
    let writer = TIFFDirectoryWriter()
    let pointers = [
      (tag: TIFFTag.exifDirectory, fields(.exif)), (TIFFTag.gpsDirectory, fields(.gps)),
    ]
    .filter { !$0.1.isEmpty }
    var image = fields(.image)
    var rest: [UInt8] = []
    let start = 8
    let end = start + writer.byteCount(image) + 12 * pointers.count
    for (tag, fields) in pointers {
      image.append(TIFFField(tag, .longs([UInt32(truncatingIfNeeded: end + rest.count)])))
      rest += writer.bytes(fields, at: end + rest.count)
    }
    return Array("II".utf8) + [42, 0, UInt8(start), 0, 0, 0] + writer.bytes(image, at: start) + rest
  }
}
