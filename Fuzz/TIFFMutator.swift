import Containers

/// Changes of the directories of a TIFF – a raw, a DNG, Exif in another file – and of the values
/// that their entries lead to.
struct TIFFMutator {
  private var bytes: [UInt8]
  /// From where the file counts its offsets.
  private let base: Int
  private let isBigEndian: Bool
  /// BigTIFF, with offsets of 64 bits.
  private let isBig: Bool
  /// Where entries are, and for each directory where it is and what points to it.
  private var entries: [Int] = []
  private var directories: [(start: Int, link: Int)] = []

  private enum Change: CaseIterable {
    case element, count, type, tag, value, remove, enlarge, insert, link

    /// Values are what most depends on.
    static let weighted = allCases + [.element]
  }

  /// `bytes` with one of their TIFFs changed; nil where none is found.
  static func changed(
    _ bytes: [UInt8], _ random: inout Draws
  ) -> [UInt8]? {
    let bases = bytes.indices.dropLast(8).filter { offset in
      // Raws have versions of their own; inside of other files it is TIFF's.
      let order = bytes[offset]
      guard order == bytes[offset + 1], order == 0x49 || order == 0x4D else { return false }
      let version = Mutator.number(bytes, at: offset + 2, 2, order == 0x4D)
      return offset == 0 || version == 42 || version == 43
    }
    guard let base = bases.randomElement(using: &random) else { return nil }
    var mutator = TIFFMutator(bytes, base: base)
    guard !mutator.entries.isEmpty else { return nil }
    mutator.change(&random)
    return mutator.bytes
  }

  private init(_ bytes: [UInt8], base: Int) {
    self.bytes = bytes
    self.base = base
    isBigEndian = bytes[base] == 0x4D
    isBig = Mutator.number(bytes, at: base + 2, 2, isBigEndian) == 43
    findEntries()
  }

  private var offsetWidth: Int { isBig ? 8 : 4 }
  private var countWidth: Int { isBig ? 8 : 2 }
  private var entryLength: Int { isBig ? 20 : 12 }

  private mutating func findEntries() {
    var links = [base + (isBig ? 8 : 4)]
    while let link = links.popLast(), directories.count < 64 {
      guard let offset = number(at: link, offsetWidth).flatMap({ Int(exactly: $0) }), offset > 0,
        offset < bytes.count, let count = number(at: base + offset, countWidth), count < 1000,
        !directories.contains(where: { $0.start == base + offset })
      else { continue }
      directories.append((base + offset, link))
      for index in 0..<Int(count) {
        let entry = base + offset + countWidth + index * entryLength
        guard entry + entryLength <= bytes.count else { return }
        entries.append(entry)
        // SubIFDs, Exif, GPS and interoperability.
        guard [330, 34665, 34853, 40965].contains(number(at: entry, 2)) else { continue }
        let range = values(of: entry)
        links += stride(from: range.lowerBound, to: range.upperBound, by: offsetWidth).prefix(8)
      }
      links.append(base + offset + countWidth + Int(count) * entryLength)
    }
  }

  private func number(at offset: Int, _ width: Int) -> UInt64? {
    guard offset >= 0, offset + width <= bytes.count else { return nil }
    return Mutator.number(bytes, at: offset, width, isBigEndian)
  }

  private mutating func set(_ value: UInt64, at offset: Int, _ width: Int) {
    guard offset >= 0, offset + width <= bytes.count else { return }
    Mutator.setNumber(&bytes, at: offset, width, isBigEndian, value)
  }

  /// Bytes of a value by its type.
  private func length(of entry: Int) -> Int {
    TIFFEntry.width(ofType: UInt16(number(at: entry + 2, 2) ?? 0)) ?? 1
  }

  /// Where the values of an entry are, as far as the file has them.
  private func values(of entry: Int) -> Range<Int> {
    let count = Int(min(number(at: entry + 4, offsetWidth) ?? 0, UInt64(bytes.count)))
    let total = count * length(of: entry)
    let field = entry + 4 + offsetWidth
    guard total > offsetWidth else { return field..<field + total }
    let offset = Int(min(number(at: field, offsetWidth) ?? 0, UInt64(bytes.count)))
    let start = min(base + offset, bytes.count)
    return start..<min(start + total, bytes.count)
  }

  private mutating func change(_ random: inout Draws) {
    guard let entry = entries.randomElement(using: &random),
      let other = entries.randomElement(using: &random),
      let directory = directories.randomElement(using: &random),
      let change = Change.weighted.randomElement(using: &random)
    else { return }
    switch change {
    case .element:
      let range = values(of: entry)
      // Rationals are two numbers.
      let width = min(length(of: entry), [5, 10].contains(number(at: entry + 2, 2)) ? 4 : 8)
      guard range.count >= width else { return }
      if width == 1 { return Mutator.changeNumber(&bytes, in: range, &random) }
      let index = Int.random(in: 0..<range.count / width, using: &random)
      changeNumber(at: range.lowerBound + index * width, width, &random)
    case .count: changeNumber(at: entry + 4, offsetWidth, &random)
    case .type: set(UInt64.random(in: 0...18, using: &random), at: entry + 2, 2)
    case .tag:
      let tag = number(at: entry, 2) ?? 0
      set(Self.tag(&random) ?? number(at: other, 2) ?? 0, at: entry, 2)
      if Bool.random(using: &random) { set(tag, at: other, 2) }
    case .value: copy(entryLength - 2, from: other + 2, to: entry + 2)
    case .remove: remove(entry)
    case .enlarge: enlarge(entry, &random)
    case .insert: insert(into: directory, &random)
    case .link:
      let target = directories.randomElement(using: &random)?.start ?? base
      set(UInt64(target - base), at: directory.link, offsetWidth)
    }
  }

  private mutating func changeNumber(
    at offset: Int, _ width: Int, _ random: inout Draws
  ) {
    guard let old = number(at: offset, width) else { return }
    set(Mutator.near(old, size: bytes.count, &random), at: offset, width)
  }

  private mutating func copy(_ count: Int, from source: Int, to target: Int) {
    bytes.replaceSubrange(target..<target + count, with: bytes[source..<source + count])
  }

  /// Any tag of TIFF, Exif or DNG; nil as often.
  private static func tag(_ random: inout Draws) -> UInt64? {
    let ranges: [ClosedRange<UInt64>] = [
      254...347, 512...532, 700...700, 33421...33437, 33723...33723, 34665...34853, 36864...42240,
      50706...51200, 52525...52553,
    ]
    return Bool.random(using: &random)
      ? nil : ranges.randomElement(using: &random).map { .random(in: $0, using: &random) }
  }

  private mutating func remove(_ entry: Int) {
    guard let directory = directories.last(where: { $0.start < entry }),
      let count = number(at: directory.start, countWidth), count > 0
    else { return }
    let end = directory.start + countWidth + Int(count) * entryLength + offsetWidth
    guard entry + entryLength <= end, end <= bytes.count else { return }
    copy(end - entry - entryLength, from: entry + entryLength, to: entry)
    set(count - 1, at: directory.start, countWidth)
  }

  /// Gives an entry other values, behind all others.
  private mutating func enlarge(_ entry: Int, _ random: inout Draws) {
    let length = length(of: entry)
    let count = Int.random(in: 1...max(1, 4096 / length), using: &random)
    let old = Array(bytes[values(of: entry)])
    let byte = [0, 1, 255].randomElement(using: &random) ?? 0
    let values = (0..<count * length).map { old.isEmpty ? UInt8(byte) : old[$0 % old.count] }
    let offset = bytes.count - base
    bytes += values
    set(UInt64(count), at: entry + 4, offsetWidth)
    guard values.count > offsetWidth else {
      return bytes.replaceSubrange(
        entry + 4 + offsetWidth..<entry + 4 + offsetWidth + values.count, with: values)
    }
    set(UInt64(offset), at: entry + 4 + offsetWidth, offsetWidth)
  }

  private func tag(of entry: [UInt8]) -> UInt64 { Mutator.number(entry, at: 0, 2, isBigEndian) }

  /// Puts a copy of a directory, with one more entry, behind all others, and in its place.
  private mutating func insert(
    into directory: (start: Int, link: Int), _ random: inout Draws
  ) {
    guard let count = number(at: directory.start, countWidth), let tag = Self.tag(&random) else {
      return
    }
    let old = (0..<Int(count)).map { directory.start + countWidth + $0 * entryLength }
    let next = directory.start + countWidth + Int(count) * entryLength
    guard next + offsetWidth <= bytes.count, let model = entries.randomElement(using: &random)
    else { return }
    var lines = old.map { Array(bytes[$0..<$0 + entryLength]) }
    var new = Array(bytes[model..<model + entryLength])
    Mutator.setNumber(&new, at: 0, 2, isBigEndian, tag)
    lines.insert(new, at: lines.firstIndex { self.tag(of: $0) > tag } ?? lines.count)
    let start = bytes.count
    bytes +=
      [UInt8](repeating: 0, count: countWidth) + lines.joined() + bytes[next..<next + offsetWidth]
    set(count + 1, at: start, countWidth)
    set(UInt64(start - base), at: directory.link, offsetWidth)
  }
}
