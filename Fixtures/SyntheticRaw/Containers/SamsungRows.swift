import ImageCore

/// Samsung's first compression: rows that are found by their offsets, each in blocks of 16 samples,
/// predicted from the row above (greens, which are moved for this) or the one before it, or from
/// the last samples of the block before. A block has one bit for the direction, for each of four
/// groups (column parity, half of the block) how the number of its bits changes, and then the
/// differences in two's complement.
///
/// Before coding, the second sample of the first and the first of the second row of each 2 × 2 are
/// exchanged, so that greens are in the same columns.
///
/// Source: published analyses (dcraw's samsung decoder, rawspeed's SamsungV0).
struct SamsungRows {
  private(set) var bytes: [UInt8] = []
  /// Where each row begins.
  private(set) var offsets: [Int] = []

  private let width: Int
  private let samples: [Int]

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    try raw.require(
      raw.size.width % 16 == 0 && raw.size.height % 2 == 0,
      "rows of a multiple of 16 columns, an even number of rows")
    width = raw.size.width
    var samples = raw.samples.map { Int($0) }
    for y in stride(from: 0, to: raw.size.height, by: 2) {
      for x in stride(from: 0, to: width, by: 2) {
        samples.swapAt(y * width + x + 1, (y + 1) * width + x)
      }
    }
    self.samples = samples
    for y in 0..<raw.size.height {
      offsets.append(bytes.count)
      bytes += row(y)
    }
  }

  private func row(_ y: Int) -> [UInt8] {
    var sink = BitSink()
    var lengths = [Int](repeating: y < 2 ? 7 : 4, count: 4)
    for left in stride(from: 0, to: width, by: 16) {
      let beside = differences(y, left, fromAbove: false)
      let above = y < 2 ? beside : differences(y, left, fromAbove: true)
      func cost(_ differences: [Int]) -> Int { differences.reduce(0) { $0 + abs($1) } }
      let isAbove = cost(above) < cost(beside)
      let chosen = isAbove ? above : beside
      sink.put(isAbove ? 1 : 0, 1)
      var needed = [0, 0, 0, 0]
      for (c, difference) in chosen.enumerated() {
        let group = (c & 1) << 1 | c >> 3
        needed[group] = max(needed[group], Self.bits(difference))
      }
      // 0 keeps the number of bits, 1 and 2 change it by one, 3 is followed by it.
      let changes = zip(needed, lengths).map { [0: 0, 1: 1, -1: 2][$0 - $1] ?? 3 }
      for change in changes { sink.put(UInt32(change), 2) }
      for (change, length) in zip(changes, needed) where change == 3 { sink.put(UInt32(length), 4) }
      lengths = needed
      for c in (0..<16).map({ $0 < 8 ? 2 * $0 : 2 * $0 - 15 }) {
        let length = UInt32(lengths[(c & 1) << 1 | c >> 3])
        sink.put(UInt32(truncatingIfNeeded: chosen[c]) & (1 << length - 1), length)
      }
    }
    return sink.words()
  }

  private func differences(_ y: Int, _ left: Int, fromAbove: Bool) -> [Int] {
    (0..<16).map { c in
      let value = samples[y * width + left + c]
      if fromAbove { return value - samples[(y - 1 - (c & 1)) * width + left + c] }
      return value - (left > 0 ? samples[y * width + left - 2 + (c & 1)] : 128)
    }
  }

  /// Bits of a difference in two's complement, none for 0.
  static func bits(_ difference: Int) -> Int {
    if difference == 0 { return 0 }
    let magnitude = difference < 0 ? ~difference : difference
    return Int.bitWidth - magnitude.leadingZeroBitCount + 1
  }
}
