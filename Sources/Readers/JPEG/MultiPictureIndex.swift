package import Containers

/// The index of pictures in a JPEG file (CIPA DC-007, Multi-Picture Format): a TIFF structure in an APP2
/// segment, in either byte order, with an entry of 16 bytes for each picture. Places count from that
/// structure's header. At most 64 pictures are taken.
struct MultiPictureIndex {
  struct Entry {
    /// Class of the picture, 24 bits: 0x03_0000 a primary, 0x01_0001 and 0x01_0002 large thumbnails.
    let type: UInt32
    /// Where it starts in the file.
    let start: Int
  }

  private static let mostPictures = 64

  /// The pictures but the first, which is the one that holds the index.
  let others: [Entry]

  /// The index that stands in `range` of `file`; nil when it is damaged.
  init?(_ file: FileBytes, _ range: Range<Int>) {
    guard let block = file.bytes(range.lowerBound, range.count), let bytes = try? FileBytes(block),
      let tiff = try? TIFFFile(bytes), let table = tiff.first[0xB002]?.bytes
    else { return nil }
    let count = min(tiff.first[0xB001]?.integer ?? 0, table.count / 16, Self.mostPictures)
    guard count > 0, let entries = try? FileBytes(table) else { return nil }
    others = (1..<max(count, 1)).compactMap { index in
      func word(_ at: Int) -> UInt32? {
        entries.integer(UInt32.self, at: 16 * index + at, bigEndian: tiff.bigEndian)
      }
      guard let attribute = word(0), let place = word(8) else { return nil }
      return Entry(type: attribute & 0xFF_FFFF, start: range.lowerBound + Int(place))
    }
  }
}
