/// A prefix code of JPEG XL (ISO/IEC 18181-1, annex on entropy decoding): as in Brotli (RFC 7932,
/// section 3): codes are canonical and of at most 15 bits, for an alphabet of up to 32,768 symbols.
struct JPEGXLPrefixCode {
  /// Number of codes of each length.
  private var counts = [Int](repeating: 0, count: 16)
  /// By length, then by value.
  private var symbols: [UInt16] = []
  /// The symbol of an alphabet or code with only one, which takes no bits.
  private var only: Int?

  /// The code for `alphabet` symbols that comes next; nil when it is damaged.
  init?(alphabet: Int, _ bits: inout JPEGXLBits) {
    bits.charge(alphabet)
    var lengths: [UInt8]? = [1]
    if alphabet > 1 {
      let kind = bits.take(2)
      lengths =
        kind == 1
        ? Self.simple(alphabet, &bits) : Self.complex(alphabet, skippedLengths: kind, &bits)
    }
    guard let lengths, !bits.isExhausted else { return nil }
    self.init(lengths)
  }

  /// The code by the length of each symbol's; nil when it is incomplete.
  private init?(_ lengths: [UInt8]) {
    let used = lengths.indices.filter { lengths[$0] > 0 }
    guard let first = used.first else { return nil }
    if used.count == 1 {
      only = first
      return
    }
    var byLength = [[UInt16]](repeating: [], count: 16)
    for symbol in used { byLength[Int(lengths[symbol])].append(UInt16(symbol)) }
    counts = byLength.map(\.count)
    symbols = Array(byLength.joined())
    guard (1...15).reduce(0, { $0 + counts[$1] << (15 - $1) }) == 1 << 15 else { return nil }
  }

  /// The next symbol.
  func next(_ bits: inout JPEGXLBits) -> Int {
    if let only { return only }
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      code = code << 1 | bits.take(1)
      first <<= 1
      if code - first < counts[length] { return Int(symbols[index + code - first]) }
      (first, index) = (first + counts[length], index + counts[length])
    }
    return 0
  }

  /// One to four symbols by name.
  private static func simple(_ alphabet: Int, _ bits: inout JPEGXLBits) -> [UInt8]? {
    let count = bits.take(2) + 1
    let width = JPEGXLBits.width(alphabet - 1)
    let symbols = (0..<count).map { _ in bits.take(width) }
    guard Set(symbols).count == count, symbols.allSatisfy({ $0 < alphabet }) else { return nil }
    let shape: [UInt8] =
      switch count {
      case 1: [1]
      case 2: [1, 1]
      case 3: [1, 2, 2]
      default: bits.bit() ? [1, 2, 3, 3] : [2, 2, 2, 2]
      }
    var lengths = [UInt8](repeating: 0, count: alphabet)
    for (symbol, length) in zip(symbols, shape) { lengths[symbol] = length }
    return lengths
  }

  /// The order in which the lengths of the codes of lengths come.
  private static let order = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  /// Lengths in run lengths, by a code of their own.
  private static func complex(
    _ alphabet: Int, skippedLengths: Int, _ bits: inout JPEGXLBits
  ) -> [UInt8]? {
    var codeLengths = [UInt8](repeating: 0, count: order.count)
    var space = 32
    for symbol in order[skippedLengths...] where space > 0 {
      let length = Self.lengthOfLength(&bits)
      codeLengths[symbol] = UInt8(length)
      if length > 0 { space -= 32 >> length }
    }
    guard space == 0 || codeLengths.count(where: { $0 > 0 }) == 1,
      let code = JPEGXLPrefixCode(codeLengths)
    else { return nil }
    var lengths: [UInt8] = []
    var previous: UInt8 = 8
    var run = (length: UInt8(0), count: 0)
    space = 1 << 15
    while lengths.count < alphabet, space > 0, !bits.isExhausted {
      let symbol = code.next(&bits)
      if symbol < 16 {
        run.count = 0
        lengths.append(UInt8(symbol))
        if symbol > 0 {
          previous = UInt8(symbol)
          space -= 1 << (15 - symbol)
        }
        continue
      }
      // 16 repeats the last length that is not 0, 17 repeats 0; each further one multiplies.
      let length = symbol == 16 ? previous : 0
      let extra = symbol - 14
      if run.length != length { run = (length, 0) }
      let before = run.count
      if run.count > 0 { run.count = (run.count - 2) << extra }
      run.count += bits.take(extra) + 3
      let more = run.count - before
      guard more <= alphabet - lengths.count else { return nil }
      lengths += repeatElement(length, count: more)
      if length > 0 { space -= more << (15 - Int(length)) }
    }
    guard space == 0 else { return nil }
    return lengths
  }

  /// 0…5 by a fixed code: 00 for 0, 01 for 3, 10 for 4, 110 for 2, 1110 for 1 and 1111 for 5.
  private static func lengthOfLength(_ bits: inout JPEGXLBits) -> Int {
    switch (bits.bit(), bits.bit()) {
    case (false, false): 0
    case (false, true): 3
    case (true, false): 4
    case (true, true): bits.bit() ? (bits.bit() ? 5 : 1) : 2
    }
  }
}
