import Containers
import Readers

/// The multi-picture index of a JPEG (CIPA DC-007), with editable entries. The segment keeps its
/// layout: a shorter table is followed by zeros, a longer one moves to its end.
struct PictureIndex {
  struct Entry {
    /// Flags, format and class; first and second dependent picture, by numbers from 1 on.
    var attribute: UInt32
    var size: Int
    /// Offset in the file; nil for the first, which holds the index.
    var start: Int?
    var dependents: [UInt16]
    /// Whether it is added, at an offset at which another picture may start.
    var isNew = false
  }

  private static let entryBytes = MultiPictureIndex.entryBytes

  /// The structure after `MPF` and a NUL.
  let range: Range<Int>
  private(set) var entries: [Entry] = []
  private let bytes: [UInt8]
  private let bigEndian: Bool
  /// Offsets of the number of pictures, of the table's length and offset, and of the table.
  private let countField: Int
  private let tableField: Int
  private let table: Int
  private let capacity: Int

  /// The index in `range` of `file`. Throws when it is damaged: it could not be updated.
  init(_ file: FileBytes, _ range: Range<Int>) throws(ReadError) {
    let damaged = ReadError.contradiction("its multi-picture index is damaged")
    guard let bytes = file.bytes(range.lowerBound, range.count),
      let block = try? FileBytes(bytes, of: file),
      let tiff = try? TIFFFile(block), tiff.magic == 42,
      let count = tiff.first[MultiPictureIndex.countTag], count.type == 4,
      let number = count.integer, (1...FormatLimits.indexedPictures).contains(number),
      let list = tiff.first[MultiPictureIndex.entriesTag],
      list.count == Self.entryBytes * number, list.bytes.count == list.count
    else { throw damaged }
    (self.range, self.bytes, bigEndian) = (range, bytes, tiff.bigEndian)
    (countField, tableField, table) = (count.position + 8, list.position + 4, list.offset)
    capacity = number
    for index in 0..<number {
      let offset = list.offset + Self.entryBytes * index
      guard let entry = MultiPictureIndex.Entry(block, at: offset, bigEndian: bigEndian) else {
        throw damaged
      }
      entries.append(
        Entry(
          attribute: entry.attribute, size: Int(entry.size),
          start: index == 0 ? nil : range.lowerBound + Int(entry.offset),
          dependents: entry.dependents))
    }
  }

  /// The entry of the picture that starts at `start`.
  func entry(at start: Int) -> Int? { entries.firstIndex { $0.start == start } }

  /// Removes an entry; the dependence of others on it ends.
  mutating func remove(_ index: Int) {
    entries.remove(at: index)
    for other in entries.indices {
      entries[other].dependents = entries[other].dependents.map { number in
        Int(number) == index + 1 ? 0 : Int(number) > index + 1 ? number - 1 : number
      }
    }
  }

  /// Adds a picture of no declared kind after all others.
  mutating func add(size: Int, start: Int) {
    entries.append(Entry(attribute: 0, size: size, start: start, dependents: [0, 0], isNew: true))
  }

  mutating func setSize(_ size: Int, _ index: Int) { entries[index].size = size }

  /// Bytes by which the structure grows.
  var growth: Int { entries.count > capacity ? Self.entryBytes * entries.count : 0 }

  /// The structure for a file in which it is at `origin`, the first picture has `firstSize` bytes,
  /// and the others have the offsets that `offset` returns.
  func bytes(
    origin: Int, firstSize: Int, offset: (Entry) -> Int
  ) throws(ReadError) -> [UInt8] {
    var out = bytes + [UInt8](repeating: 0, count: growth)
    func word(_ value: Int) throws(ReadError) -> UInt32 {
      guard let word = UInt32(exactly: value) else {
        throw ReadError(.tooLarge, "the file is too large for a multi-picture index")
      }
      return word
    }
    func put(_ value: Int, _ at: Int) throws(ReadError) {
      out.replaceSubrange(at..<at + 4, with: try word(value).bytes(bigEndian: bigEndian))
    }
    let start = growth > 0 ? bytes.count : table
    for index in 0..<Self.entryBytes * capacity { out[table + index] = 0 }
    try put(entries.count, countField)
    try put(Self.entryBytes * entries.count, tableField)
    try put(start, tableField + 4)
    for (index, entry) in entries.enumerated() {
      let stored = MultiPictureIndex.Entry(
        attribute: entry.attribute, size: try word(index == 0 ? firstSize : entry.size),
        offset: try word(entry.start == nil ? 0 : offset(entry) - origin),
        dependents: entry.dependents)
      let at = start + Self.entryBytes * index
      out.replaceSubrange(at..<at + Self.entryBytes, with: stored.bytes(bigEndian: bigEndian))
    }
    return out
  }
}
