/// A canonical Huffman code as ITU-T T.81 (1992) annex C makes it: how many codes there are of 1,
/// 2, 3, … bits, and their symbols in ascending order of the codes.
struct PrefixCode {
  /// Code and length of a symbol.
  struct Word: Equatable {
    var code: UInt32
    var length: Int
  }

  /// The symbols in the order of their codes.
  let symbols: [UInt8]
  /// Their words; of a symbol that occurs twice, the first.
  private(set) var words: [UInt8: Word] = [:]

  init(counts: [Int], symbols: [UInt8]) {
    self.symbols = symbols
    var code: UInt32 = 0
    var next = 0
    for (index, count) in counts.enumerated() {
      for symbol in symbols[next..<min(next + count, symbols.count)] {
        if words[symbol] == nil { words[symbol] = Word(code: code, length: index + 1) }
        code += 1
      }
      next += count
      code <<= 1
    }
  }

  /// A code of these words, in no order.
  init(words: [UInt8: Word]) { (symbols, self.words) = (Array(words.keys), words) }

  /// Appends the word of `symbol`, which the code must have.
  func put(_ symbol: UInt8, to sink: inout BitSink) {
    guard let word = words[symbol] else { return }
    sink.put(word.code, UInt32(word.length))
  }

  /// Appends a difference as lossless JPEG has it: the number of its bits, then these bits, of
  /// which a negative one has those of the difference less one.
  func put(difference: Int, to sink: inout BitSink) {
    let category = Self.category(difference)
    put(UInt8(category), to: &sink)
    let extra = difference < 0 ? difference - 1 : difference
    sink.put(UInt32(truncatingIfNeeded: extra) & (1 << UInt32(category) - 1), UInt32(category))
  }

  /// The number of bits of a difference.
  static func category(_ difference: Int) -> Int {
    Int.bitWidth - difference.magnitude.leadingZeroBitCount
  }
}

/// The predictions of Nikon, Pentax and Samsung: the last sample of the same column parity in the
/// row; for the first two of a row the first two of the last row but one.
struct ParityPrediction {
  private var column: [Int]
  private var row = [0, 0]

  /// Begins with these values for the first two samples of even rows, then of odd ones.
  init(_ start: [Int] = [0, 0, 0, 0]) { column = start }

  /// The prediction of the sample at `x`, `y`.
  func callAsFunction(_ x: Int, _ y: Int) -> Int {
    x < 2 ? column[(y & 1) * 2 + x] : row[x & 1]
  }

  /// Takes what is read at `x`, `y`.
  mutating func take(_ value: Int, _ x: Int, _ y: Int) {
    if x < 2 { column[(y & 1) * 2 + x] = value }
    row[x & 1] = value
  }
}
