import Containers
import Readers

/// The index of pictures in a JPEG (CIPA DC-007, Multi-Picture Format), with its entries to be
/// changed. The segment keeps its layout: a shorter table leaves zeros behind, a longer one goes to
/// its end.
struct PictureIndex {
  struct Entry {
    /// Flags, format and class; first and second dependent picture, by numbers from 1 on.
    var attribute: UInt32
    var size: Int
    /// Where it starts in the file; nil for the first, which holds the index.
    var start: Int?
    var dependents: [UInt16]
    /// Whether it is put in, at the place where another picture may start.
    var isNew = false
  }

  private static let entryBytes = MultiPictureIndex.entryBytes

  /// The structure behind `MPF` and a NUL.
  let range: Range<Int>
  private(set) var entries: [Entry] = []
  private let bytes: [UInt8]
  private let bigEndian: Bool
  /// Where the number of pictures, the count and the place of the table, and the table stand.
  private let countField: Int
  private let tableField: Int
  private let table: Int
  private let capacity: Int

  /// The index in `range` of `file`. Throws when it is damaged: what cannot be read cannot be kept
  /// true.
  init(_ file: FileBytes, _ range: Range<Int>) throws(ReadError) {
    let damaged = ReadError.contradiction("its index of pictures is damaged")
    guard let bytes = file.bytes(range.lowerBound, range.count), let block = try? FileBytes(bytes),
      let tiff = try? TIFFFile(block), tiff.magic == 42,
      let first = block.integer(UInt32.self, at: 4, bigEndian: tiff.bigEndian).map({ Int($0) }),
      let number = tiff.first[MultiPictureIndex.countTag]?.integer,
      let list = tiff.first[MultiPictureIndex.entriesTag],
      let fields = block.integer(UInt16.self, at: first, bigEndian: tiff.bigEndian)
    else { throw damaged }
    var places: [UInt16: Int] = [:]
    for index in 0..<Int(fields) {
      let place = first + 2 + 12 * index
      guard let tag = block.integer(UInt16.self, at: place, bigEndian: tiff.bigEndian) else {
        throw damaged
      }
      places[tag] = place
    }
    let byteCount = list.bytes.count
    guard let countPlace = places[MultiPictureIndex.countTag],
      let listPlace = places[MultiPictureIndex.entriesTag],
      block.integer(UInt16.self, at: countPlace + 2, bigEndian: tiff.bigEndian) == 4,
      number > 0, number <= MultiPictureIndex.mostPictures, byteCount == Self.entryBytes * number,
      block.integer(UInt32.self, at: listPlace + 4, bigEndian: tiff.bigEndian).map({ Int($0) })
        == byteCount, byteCount > 4,
      block.integer(UInt32.self, at: listPlace + 8, bigEndian: tiff.bigEndian).map({ Int($0) })
        == list.offset
    else { throw damaged }
    (self.range, self.bytes, bigEndian) = (range, bytes, tiff.bigEndian)
    (countField, tableField, table) = (countPlace + 8, listPlace + 4, list.offset)
    capacity = number
    for index in 0..<number {
      let place = list.offset + Self.entryBytes * index
      guard let entry = MultiPictureIndex.Entry(block, at: place, bigEndian: bigEndian) else {
        throw damaged
      }
      entries.append(
        Entry(
          attribute: entry.attribute, size: Int(entry.size),
          start: index == 0 ? nil : range.lowerBound + Int(entry.place),
          dependents: entry.dependents))
    }
  }

  /// The entry of the picture that starts at `start`.
  func entry(at start: Int) -> Int? { entries.firstIndex { $0.start == start } }

  /// Takes an entry out; others that depend on it no longer do.
  mutating func remove(_ index: Int) {
    entries.remove(at: index)
    for place in entries.indices {
      entries[place].dependents = entries[place].dependents.map { number in
        Int(number) == index + 1 ? 0 : Int(number) > index + 1 ? number - 1 : number
      }
    }
  }

  /// Adds a picture of no declared kind behind all others.
  mutating func add(size: Int, start: Int) {
    entries.append(Entry(attribute: 0, size: size, start: start, dependents: [0, 0], isNew: true))
  }

  mutating func setSize(_ size: Int, _ index: Int) { entries[index].size = size }

  /// Bytes by which the structure grows.
  var growth: Int { entries.count > capacity ? Self.entryBytes * entries.count : 0 }

  /// The structure for a file in which it stands at `origin`, the first picture has `firstSize`
  /// bytes, and the others start where `place` says.
  func bytes(
    origin: Int, firstSize: Int, place: (Entry) -> Int
  ) throws(ReadError) -> [UInt8] {
    var out = bytes + [UInt8](repeating: 0, count: growth)
    func word(_ value: Int) throws(ReadError) -> UInt32 {
      guard let word = UInt32(exactly: value) else {
        throw ReadError(.tooLarge, "the file is too large for an index of pictures")
      }
      return word
    }
    func put(_ value: Int, _ at: Int) throws(ReadError) {
      let word = try word(value)
      let bytes = withUnsafeBytes(of: bigEndian ? word.bigEndian : word.littleEndian) { Array($0) }
      out.replaceSubrange(at..<at + 4, with: bytes)
    }
    let start = growth > 0 ? bytes.count : table
    for index in 0..<Self.entryBytes * capacity { out[table + index] = 0 }
    try put(entries.count, countField)
    try put(Self.entryBytes * entries.count, tableField)
    try put(start, tableField + 4)
    for (index, entry) in entries.enumerated() {
      let stored = MultiPictureIndex.Entry(
        attribute: entry.attribute, size: try word(index == 0 ? firstSize : entry.size),
        place: try word(entry.start == nil ? 0 : place(entry) - origin),
        dependents: entry.dependents)
      let at = start + Self.entryBytes * index
      out.replaceSubrange(at..<at + Self.entryBytes, with: stored.bytes(bigEndian: bigEndian))
    }
    return out
  }
}
