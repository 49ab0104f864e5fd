import ImageCore

/// The index of pictures in a JPEG file (CIPA DC-007, Multi-Picture Format): a TIFF structure in an
/// APP2 segment, in either byte order, with an entry of 16 bytes for each picture. Offsets count
/// from that structure's header. At most 64 pictures are read.
package struct MultiPictureIndex: Sendable {
  /// The entry of one picture.
  package struct Entry: Sendable {
    /// Flags, format and class.
    package var attribute: UInt32
    /// Bytes of the picture.
    package var size: UInt32
    /// Its offset from the structure's header; 0 for the first picture.
    package var offset: UInt32
    /// First and second dependent picture, by numbers from 1 on.
    package var dependents: [UInt16]

    /// 24 bits: 0x03_0000 a primary, 0x01_0001 and 0x01_0002 large thumbnails, 0 of no declared
    /// kind.
    package var kind: UInt32 { attribute & 0xFF_FFFF }

    package init(attribute: UInt32, size: UInt32, offset: UInt32, dependents: [UInt16] = [0, 0]) {
      (self.attribute, self.size, self.offset) = (attribute, size, offset)
      self.dependents = dependents
    }

    /// The entry at `offset` of `file`.
    package init?(_ file: FileBytes, at offset: Int, bigEndian: Bool) {
      func word(_ at: Int) -> UInt32? {
        file.integer(UInt32.self, at: offset + at, bigEndian: bigEndian)
      }
      func half(_ at: Int) -> UInt16? {
        file.integer(UInt16.self, at: offset + at, bigEndian: bigEndian)
      }
      guard let attribute = word(0), let size = word(4), let start = word(8),
        let first = half(12), let second = half(14)
      else { return nil }
      self.init(attribute: attribute, size: size, offset: start, dependents: [first, second])
    }

    /// As it is stored.
    package func bytes(bigEndian: Bool) -> [UInt8] {
      [attribute, size, offset].flatMap { $0.bytes(bigEndian: bigEndian) }
        + dependents.flatMap { $0.bytes(bigEndian: bigEndian) }
    }
  }

  package static let versionTag: UInt16 = 0xB000
  package static let countTag: UInt16 = 0xB001
  package static let entriesTag: UInt16 = 0xB002
  package static let maxPictures = 64
  package static let entryBytes = 16

  /// The pictures but the first, which holds the index: class, and offset in the file.
  package let others: [(kind: UInt32, start: Int)]

  /// The index in `range` of `file`; nil when it is damaged.
  package init?(_ file: FileBytes, _ range: Range<Int>) {
    guard let block = file.bytes(range.lowerBound, range.count),
      let bytes = try? FileBytes(block, of: file),
      let tiff = try? TIFFFile(bytes), let table = tiff.first[Self.entriesTag]?.bytes
    else { return nil }
    let count = min(
      tiff.first[Self.countTag]?.integer ?? 0, table.count / Self.entryBytes, Self.maxPictures)
    guard count > 0, let entries = try? FileBytes(table, of: file) else { return nil }
    others = (1..<max(count, 1)).compactMap { index in
      Entry(entries, at: Self.entryBytes * index, bigEndian: tiff.bigEndian).map {
        ($0.kind, range.lowerBound + Int($0.offset))
      }
    }
  }

  /// Bytes of the index of a file of two pictures.
  package static let byteCountOfTwo = 82

  /// The index of a file of two pictures, a baseline primary and one of no declared kind,
  /// big-endian: the sizes of both, which follow each other, and the offset of the second from the
  /// index's header. Nil when one of them is negative or does not fit into 32 bits.
  package static func ofTwo(first: Int, second: Int, secondOffset: Int) -> [UInt8]? {
    guard let first = UInt32(exactly: first), let second = UInt32(exactly: second),
      let secondOffset = UInt32(exactly: secondOffset)
    else { return nil }
    let entries = [
      Entry(attribute: 0x03_0000, size: first, offset: 0),
      Entry(attribute: 0, size: second, offset: secondOffset),
    ]
    let fields = [
      TIFFField(versionTag, .undefined(Array("0100".utf8)), bigEndian: true),
      TIFFField(countTag, .longs([2]), bigEndian: true),
      TIFFField(
        entriesTag, .undefined(entries.flatMap { $0.bytes(bigEndian: true) }), bigEndian: true),
    ]
    return Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
      + TIFFDirectoryWriter(bigEndian: true).bytes(fields, at: 8)
  }
}
