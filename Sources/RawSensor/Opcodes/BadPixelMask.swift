import ImageCore

/// Which samples of a plane are bad, one bit each.
struct BadPixelMask {
  let size: PixelSize
  private var words: [UInt64]
  private let wordsPerRow: Int

  init(_ size: PixelSize) {
    self.size = size
    wordsPerRow = (size.width + 63) / 64
    words = [UInt64](repeating: 0, count: wordsPerRow * size.height)
  }

  /// Whether the sample exists and is not bad.
  func isGood(_ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return false }
    return words[y * wordsPerRow + (x >> 6)] >> UInt64(x & 63) & 1 == 0
  }

  mutating func mark(_ x: Int, _ y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    words[y * wordsPerRow + (x >> 6)] |= 1 << UInt64(x & 63)
  }

  /// How many samples are bad.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Calls `body` with the columns of the bad samples of row `y`.
  func eachBad(row y: Int, _ body: (Int) -> Void) {
    for index in 0..<wordsPerRow {
      var word = words[y * wordsPerRow + index]
      while word != 0 {
        body(index * 64 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }
}
