package import Containers

/// Exif and XMP items (ISO/IEC 23008-12:2022 annex A). Damaged ones are ignored; they never make
/// the picture unreadable.
package enum HEIFMetadata {
  /// Longer packets are ignored.
  private static let maxBytes = 64 << 20
  /// Unreadable items may each be as long as the file, so no more than these are tried.
  private static let maxTries = 8

  /// The XMP packet that describes `picture`.
  static func xmp(of picture: Int, _ reader: HEIFItemReader) -> [UInt8]? {
    first(of: picture, reader) { $0.type == "mime" && $0.isXMP && !$0.isEncoded }
  }

  /// The properties of that packet; none without one.
  static func packet(of picture: Int, _ reader: HEIFItemReader) -> XMPPacket {
    XMPPacket(lenient: xmp(of: picture, reader) ?? [], limits: reader.file.limits)
  }

  /// The Exif block of `picture`.
  static func exif(of picture: Int, _ reader: HEIFItemReader) -> ExifFacts {
    exifItem(of: picture, reader).map { ExifFacts(item: $0, of: reader.file) } ?? ExifFacts()
  }

  /// The item that holds it.
  package static func exifItem(of picture: Int, _ reader: HEIFItemReader) -> [UInt8]? {
    first(of: picture, reader) { $0.type == "Exif" }
  }

  private static func first(
    of picture: Int, _ reader: HEIFItemReader, where matches: (HEIFItems.Item) -> Bool
  ) -> [UInt8]? {
    let candidates = reader.items.sources("cdsc", to: picture).filter {
      reader.items[$0].map(matches) ?? false
    }
    for number in candidates.prefix(maxTries) {
      if let bytes = try? reader.bytes(of: number, atMost: maxBytes) { return bytes }
    }
    return nil
  }
}
