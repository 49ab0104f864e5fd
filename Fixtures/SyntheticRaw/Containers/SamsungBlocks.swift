import ImageCore

/// Samsung's compression of the NX1: rows that begin at multiples of 16 bytes, in blocks of 16
/// samples, predicted from the last samples of the block before or from the rows above: greens from
/// the diagonal, red and blue from the last row but one. For each block a bit keeps the prediction
/// or three say it; a bit keeps the lengths of the four groups of differences, or two bits
/// for each say how it differs from the last but one of its color, 3 that four bits follow. Every
/// 64 samples two bits would change a loss, which stays 0 here.
///
/// A header of four words of 32 bits has the bits of a sample less one, the size, the options (none
/// here) and the value before the first.
///
/// Source: published analyses (dcraw's samsung3, rawspeed's SamsungV2).
struct SamsungBlocks {
  private(set) var bytes: [UInt8]

  private static let start = 512
  private let raw: CameraContainer

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    try raw.require(raw.size.width % 16 == 0, "rows of a multiple of 16 columns")
    self.raw = raw
    var header = ByteStream(order: .little)
    header.append(UInt32(raw.bits - 1) << 8)
    header.append(UInt32(raw.size.width) << 16 | UInt32(raw.size.height))
    header.append(UInt32(0))
    header.append(UInt32(Self.start))
    bytes = header.bytes
    for y in 0..<raw.size.height {
      while bytes.count % 16 != 0 { bytes.append(0) }
      bytes += row(y)
    }
  }

  private func row(_ y: Int) -> [UInt8] {
    var sink = BitSink()
    // The last two lengths of three kinds of samples: red, green, blue.
    var history = [[Int]](repeating: [Int](repeating: y < 2 ? 7 : 4, count: 2), count: 3)
    var mode = 7
    for left in stride(from: 0, to: raw.size.width, by: 16) {
      if left % 64 == 0 { sink.put(0, 2) }
      let columns = (0..<16).map { left + ((($0 & 7) << 1) ^ ($0 >> 3) ^ (y & 1)) }
      let beside = columns.map { difference($0, y, left, fromAbove: false) }
      let above = y < 2 ? beside : columns.map { difference($0, y, left, fromAbove: true) }
      func cost(_ differences: [Int]) -> Int { differences.reduce(0) { $0 + abs($1) } }
      // 3 takes the samples straight above.
      let wanted = cost(above) < cost(beside) ? 3 : 7
      sink.put(wanted == mode ? 1 : 0, 1)
      if wanted != mode { sink.put(UInt32(wanted), 3) }
      mode = wanted
      let chosen = mode == 3 ? above : beside

      sink.put(0, 1)
      var changes: [Int] = []
      var explicit: [Int] = []
      let lengths = (0..<4).map { group in
        chosen[4 * group..<4 * group + 4].map { SamsungRows.bits($0) }.max() ?? 0
      }
      for (group, length) in lengths.enumerated() {
        let kind = ((y & 1) << 1 | group & 1) % 3
        let change = [0: 0, 1: 1, -1: 2][length - history[kind][0]] ?? 3
        changes.append(change)
        if change == 3 { explicit.append(length) }
        history[kind] = [history[kind][1], length]
      }
      for change in changes { sink.put(UInt32(change), 2) }
      for length in explicit { sink.put(UInt32(length), 4) }
      for (index, difference) in chosen.enumerated() {
        let length = UInt32(lengths[index >> 2])
        sink.put(UInt32(truncatingIfNeeded: difference) & (1 << length - 1), length)
      }
    }
    return sink.words()
  }

  private func difference(_ x: Int, _ y: Int, _ left: Int, fromAbove: Bool) -> Int {
    func sample(_ x: Int, _ y: Int) -> Int { Int(raw.samples[y * raw.size.width + x]) }
    let value = sample(x, y)
    guard fromAbove else { return value - (left > 0 ? sample(left - 2 + (x & 1), y) : Self.start) }
    let isGreen = (x ^ y) & 1 == 0
    return value - (isGreen ? sample(x + (y & 1 == 0 ? 1 : -1), y - 1) : sample(x, y - 2))
  }
}
