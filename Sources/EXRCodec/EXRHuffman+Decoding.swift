import Containers

extension EXRHuffman {
  /// Decodes `count` words. Nil where the data is damaged: an invalid table, an invalid code word,
  /// fewer or more words.
  static func decompress(_ data: ArraySlice<UInt8>, count: Int) -> [UInt16]? {
    guard count > 0 else { return [] }
    var cursor = ByteCursor(data, bigEndian: false)
    let numbers = (0..<5).compactMap { _ in cursor.integer(UInt32.self).map { Int($0) } }
    guard numbers.count == 5 else { return nil }
    let (first, run, tableBytes, bitCount) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let body = cursor.rest
    guard first <= run, run <= words, tableBytes <= body.count,
      bitCount <= 8 * (body.count - tableBytes)
    else { return nil }
    var table = BitReader(body.prefix(tableBytes))
    guard let lengths = readLengths(first...run, &table), let code = DecodedCode(lengths, first)
    else { return nil }
    var bits = BitReader(body.dropFirst(tableBytes), count: bitCount)
    var decoded: [UInt16] = []
    decoded.reserveCapacity(count)
    while decoded.count < count {
      guard let word = code.next(&bits) else { return nil }
      if word == run {
        guard let last = decoded.last, let repeats = bits.read(8),
          repeats <= count - decoded.count
        else { return nil }
        decoded.append(contentsOf: repeatElement(last, count: repeats))
      } else {
        decoded.append(UInt16(word))
      }
    }
    return bits.isAtEnd ? decoded : nil
  }

  /// Lengths of the codes of these words.
  private static func readLengths(
    _ range: ClosedRange<Int>, _ bits: inout BitReader
  ) -> [UInt8]? {
    var lengths = [UInt8](repeating: 0, count: range.count)
    var at = 0
    while at < lengths.count {
      guard let length = bits.read(6) else { return nil }
      guard length >= shortRun else {
        lengths[at] = UInt8(length)
        at += 1
        continue
      }
      guard
        let absent = length < longRun ? length - Int(shortRun) + 2 : bits.read(8).map({ $0 + 6 })
      else { return nil }
      at += absent
    }
    return at == lengths.count ? lengths : nil
  }
}

/// The words of a canonical code by their bits.
private struct DecodedCode {
  private static let longest = 58
  /// Bits of codes that are found at once.
  private static let near = 12

  /// Words in the order of their codes, shorter ones first.
  private var words: [Int] = []
  /// Of each length the first code, the number of them, and where their words begin.
  private var lengths = [(code: UInt64, count: UInt64, start: Int)](
    repeating: (0, 0, 0), count: longest + 1)
  /// Index into `words` and, in the lowest six bits, length, by the first bits; 0 for longer codes.
  private var table = [Int32](repeating: 0, count: 1 << near)

  /// Nil where the lengths do not form a code.
  init?(_ codes: [UInt8], _ first: Int) {
    for length in codes where length > 0 { lengths[Int(length)].count += 1 }
    var code: UInt64 = 0
    for length in stride(from: Self.longest, to: 0, by: -1) {
      lengths[length].code = code
      code = (code + lengths[length].count) >> 1
      let end = lengths[length].code + lengths[length].count
      guard lengths[length].count == 0 || (end - 1) >> UInt64(length) == 0 else { return nil }
    }
    var start = 0
    for length in 1...Self.longest {
      lengths[length].start = start
      start += Int(lengths[length].count)
    }
    words = [Int](repeating: 0, count: start)
    var next = lengths.map(\.start)
    for (index, length) in codes.enumerated() where length > 0 {
      words[next[Int(length)]] = first + index
      next[Int(length)] += 1
    }
    for length in 1...Self.near {
      let (code, count, start) = lengths[length]
      let shift = Self.near - length
      for index in 0..<Int(count) {
        let from = (Int(code) + index) << shift
        for at in from..<from + 1 << shift { table[at] = Int32((start + index) << 6 | length) }
      }
    }
  }

  /// The next word; nil for an invalid code word.
  func next(_ bits: inout BitReader) -> Int? {
    let entry = Int(table[Int(bits.peek(Self.near))])
    if entry > 0 { return bits.skip(entry & 63) ? words[entry >> 6] : nil }
    for length in Self.near + 1...Self.longest where lengths[length].count > 0 {
      let value = bits.peek(length)
      let (code, count, start) = lengths[length]
      if value >= code, value - code < count {
        return bits.skip(length) ? words[start + Int(value - code)] : nil
      }
    }
    return nil
  }
}

/// Bits, the highest of each byte first; zeros after the last.
private struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private let count: Int
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>, count: Int? = nil) {
    self.bytes = bytes
    self.count = count ?? 8 * bytes.count
  }

  var isAtEnd: Bool { position == count }

  /// The next `length` bits, at most 58, without consuming them.
  func peek(_ length: Int) -> UInt64 {
    var value: UInt64 = 0
    let start = bytes.startIndex + position / 8
    for at in start..<start + 8 {
      value = value << 8 | (at < bytes.endIndex ? UInt64(bytes[at]) : 0)
    }
    let offset = position % 8
    guard offset > 0 else { return value >> UInt64(64 - length) }
    let ninth = start + 8 < bytes.endIndex ? UInt64(bytes[start + 8]) : 0
    return (value << UInt64(offset) | ninth >> UInt64(8 - offset)) >> UInt64(64 - length)
  }

  /// Skips `length` bits; whether there were as many.
  mutating func skip(_ length: Int) -> Bool {
    position += length
    return position <= count
  }

  mutating func read(_ length: Int) -> Int? {
    let value = Int(peek(length))
    return skip(length) ? value : nil
  }
}
