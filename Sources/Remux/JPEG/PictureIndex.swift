package import Containers
import Readers

/// The index of pictures in a JPEG (CIPA DC-007, Multi-Picture Format), with its entries to be changed. The
/// segment keeps its layout: a shorter table leaves zeros behind, a longer one goes to its end.
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

  private static let mostPictures = 64
  private static let entryBytes = 16

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

  /// The index in `range` of `file`. Throws when it is damaged: what cannot be read cannot be kept true.
  init(_ file: FileBytes, _ range: Range<Int>) throws(ReadError) {
    let damaged = ISOCursor.damaged("its index of pictures is damaged")
    guard let bytes = file.bytes(range.lowerBound, range.count), let block = try? FileBytes(bytes),
      let tiff = try? TIFFFile(block), tiff.magic == 42,
      let first = block.integer(UInt32.self, at: 4, bigEndian: tiff.bigEndian).map({ Int($0) }),
      let number = tiff.first[0xB001]?.integer, let list = tiff.first[0xB002],
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
    guard let countPlace = places[0xB001], let listPlace = places[0xB002],
      block.integer(UInt16.self, at: countPlace + 2, bigEndian: tiff.bigEndian) == 4,
      number > 0, number <= Self.mostPictures, byteCount == Self.entryBytes * number,
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
      func word(_ at: Int) -> UInt32 {
        block.integer(UInt32.self, at: place + at, bigEndian: tiff.bigEndian) ?? 0
      }
      func half(_ at: Int) -> UInt16 {
        block.integer(UInt16.self, at: place + at, bigEndian: tiff.bigEndian) ?? 0
      }
      entries.append(
        Entry(
          attribute: word(0), size: Int(word(4)),
          start: index == 0 ? nil : range.lowerBound + Int(word(8)),
          dependents: [half(12), half(14)]))
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

  /// The structure for a file in which it stands at `origin`, the first picture has `firstSize` bytes, and
  /// the others start where `place` says.
  func bytes(
    origin: Int, firstSize: Int, place: (Entry) -> Int
  ) throws(ReadError) -> [UInt8] {
    var out = bytes + [UInt8](repeating: 0, count: growth)
    func put(_ value: Int, _ count: Int, _ at: Int) throws(ReadError) {
      guard value >= 0, value <= Int(UInt32.max) else {
        throw ReadError(.tooLarge, "the file is too large for an index of pictures")
      }
      for index in 0..<count {
        let shift = 8 * (bigEndian ? count - 1 - index : index)
        out[at + index] = UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    let start = growth > 0 ? bytes.count : table
    for index in 0..<Self.entryBytes * capacity { out[table + index] = 0 }
    try put(entries.count, 4, countField)
    try put(Self.entryBytes * entries.count, 4, tableField)
    try put(start, 4, tableField + 4)
    for (index, entry) in entries.enumerated() {
      let at = start + Self.entryBytes * index
      try put(Int(entry.attribute), 4, at)
      try put(index == 0 ? firstSize : entry.size, 4, at + 4)
      try put(entry.start == nil ? 0 : place(entry) - origin, 4, at + 8)
      try put(Int(entry.dependents[0]), 2, at + 12)
      try put(Int(entry.dependents[1]), 2, at + 14)
    }
    return out
  }
}
