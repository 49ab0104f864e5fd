import Containers

/// Exif and XMP items (ISO/IEC 23008-12:2022 annex A). Damaged ones say nothing; they never make
/// the picture unreadable.
enum HEIFMetadata {
  /// Packets beyond this are no description of a picture.
  private static let maxBytes = 64 << 20
  /// Items that cannot be taken may each be as long as the file; behind these no other is looked
  /// at.
  private static let mostTries = 8

  /// The XMP packet that describes `picture`.
  static func xmp(of picture: Int, _ reader: HEIFItemReader) -> [UInt8]? {
    first(of: picture, reader) {
      $0.type == "mime" && $0.contentType == HEIFMeta.xmpType && !$0.isEncoded
    }
  }

  /// What the Exif block that describes `picture` says: behind a number that tells where in it the
  /// TIFF structure starts, and often behind `Exif` and two NULs.
  static func exif(of picture: Int, _ reader: HEIFItemReader) -> ExifFacts {
    guard let bytes = first(of: picture, reader, where: { $0.type == "Exif" }), bytes.count > 4
    else { return ExifFacts() }
    let offset = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    var block = bytes.dropFirst(4)
    if offset < block.count { block = block.dropFirst(offset) }
    if block.starts(with: Array("Exif\0\0".utf8)) { block = block.dropFirst(6) }
    return ExifFacts(Array(block))
  }

  private static func first(
    of picture: Int, _ reader: HEIFItemReader, where matches: (HEIFItems.Item) -> Bool
  ) -> [UInt8]? {
    let candidates = reader.items.sources("cdsc", to: picture).filter {
      reader.items[$0].map(matches) ?? false
    }
    for number in candidates.prefix(mostTries) {
      if let bytes = try? reader.bytes(of: number), bytes.count <= maxBytes { return bytes }
    }
    return nil
  }
}
