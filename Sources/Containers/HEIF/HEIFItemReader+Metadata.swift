extension HEIFItemReader {
  /// The item with the Exif block of `picture` (ISO/IEC 23008-12:2022 annex A).
  package func exifItem(of picture: Int) -> [UInt8]? {
    metadata(of: picture) { $0.type == "Exif" }
  }

  /// The XMP packet of `picture`.
  package func xmpItem(of picture: Int) -> [UInt8]? {
    metadata(of: picture) { $0.type == "mime" && $0.isXMP && !$0.isEncoded }
  }

  /// The first item that describes `picture`, can be read and for which `matches` is true.
  package func metadata(of picture: Int, where matches: (HEIFItems.Item) -> Bool) -> [UInt8]? {
    let candidates = items.sources("cdsc", to: picture).filter { items[$0].map(matches) ?? false }
    for number in candidates.prefix(FormatLimits.unreadableItems) {
      if let bytes = try? bytes(of: number, atMost: FormatLimits.blockBytes) { return bytes }
    }
    return nil
  }
}
