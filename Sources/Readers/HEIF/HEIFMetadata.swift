import Containers

/// Exif and XMP items (ISO/IEC 23008-12:2022 annex A). Damaged ones are ignored; they never make
/// the picture unreadable.
enum HEIFMetadata {
  /// The properties of the XMP packet; empty without one.
  static func packet(of picture: Int, _ reader: HEIFItemReader) -> XMPPacket {
    XMPPacket(lenient: reader.xmpItem(of: picture) ?? [], limits: reader.file.limits)
  }

  /// The Exif block of `picture`.
  static func exif(of picture: Int, _ reader: HEIFItemReader) -> ExifInfo {
    reader.exifItem(of: picture).map { ExifInfo(item: $0, of: reader.file) } ?? ExifInfo()
  }
}
