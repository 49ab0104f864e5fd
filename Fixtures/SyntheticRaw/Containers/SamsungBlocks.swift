import ImageCore

/// Samsung's compression of the NX1: rows that begin at multiples of 16 bytes, in blocks of 16
/// samples, predicted from the last samples of the block before or from the rows above: greens
/// from the diagonal, red and blue from the last row but one, moved or as the mean of two. For each
/// block a bit keeps the prediction or three say it; a bit says that there are no differences; and
/// for each of four groups two bits say how the length of its differences differs from that in the
/// block before, 3 that four bits follow. Every 64 samples two bits change a loss.
///
/// A header of four words of 32 bits has the bits of a sample less one, the size, the options and
/// the value before the first.
///
/// Source: published analyses (dcraw's samsung3, rawspeed's SamsungV2).
struct SamsungBlocks {
  /// What a stream does beyond the simplest.
  struct Options: Sendable {
    /// No bit says that a block has no differences.
    var hasAllDifferences = false
    /// One bit says the prediction: from beside, or from straight above.
    var hasSimpleModes = false
    /// The losses of each 64 samples, in turn; nil where none is written.
    var scales: [Int]? = [0]

    fileprivate var word: UInt32 {
      (hasAllDifferences ? 1 : 0) | (hasSimpleModes ? 2 : 0) | (scales == nil ? 4 : 0)
    }
  }

  private(set) var bytes: [UInt8]
  /// The decoded samples.
  private(set) var samples: [UInt16]

  private static let start = 512
  private static let shifts = [-4, -2, -2, 0, 0, 2, 4]
  private let raw: CameraContainer

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    try raw.require(raw.size.width % 16 == 0, "rows of a multiple of 16 columns")
    self.raw = raw
    samples = raw.samples
    var header = ByteStream(order: .little)
    header.append(UInt32(raw.bits - 1) << 8)
    header.append(UInt32(raw.size.width) << 16 | UInt32(raw.size.height))
    header.append(raw.blocks.word << 8)
    header.append(UInt32(Self.start))
    bytes = header.bytes
    for y in 0..<raw.size.height {
      while bytes.count % 16 != 0 { bytes.append(0) }
      bytes += row(y)
    }
  }

  private mutating func row(_ y: Int) -> [UInt8] {
    var sink = BitSink()
    var lengths = [Int](repeating: y < 2 ? 7 : 4, count: 4)
    var (mode, scale) = (7, 0)
    for left in stride(from: 0, to: raw.size.width, by: 16) {
      if let scales = raw.blocks.scales, left % 64 == 0 {
        let wanted = scales[(left / 64 + y) % scales.count]
        if let change = [0: 0, -2: 1, 2: 2][wanted - scale] {
          sink.put(UInt32(change), 2)
        } else {
          sink.put(3, 2)
          sink.put(UInt32(wanted), 12)
        }
        scale = wanted
      }
      let columns = (0..<16).map { left + ((($0 & 7) << 1) ^ ($0 >> 3) ^ (y & 1)) }
      let factor = 2 * scale + 1
      func differences(_ mode: Int) -> [Int] {
        columns.map {
          let difference = Int(raw.samples[y * raw.size.width + $0]) - prediction($0, y, left, mode)
          return (difference - (difference % factor + factor) % factor) / factor
        }
      }
      func cost(_ mode: Int) -> Int { differences(mode).reduce(0) { $0 + abs($1) } }
      let wanted = modes(y, left).min { cost($0) < cost($1) } ?? 7
      if raw.blocks.hasSimpleModes {
        sink.put(wanted == 7 ? 0 : 1, 1)
      } else {
        sink.put(wanted == mode ? 1 : 0, 1)
        if wanted != mode { sink.put(UInt32(wanted), 3) }
      }
      mode = wanted

      let chosen = differences(mode)
      let isEmpty = chosen.allSatisfy { $0 == 0 }
      if !raw.blocks.hasAllDifferences { sink.put(isEmpty ? 1 : 0, 1) }
      if raw.blocks.hasAllDifferences || !isEmpty {
        let needed = (0..<4).map { group in
          chosen[4 * group..<4 * group + 4].map { SamsungRows.bits($0) }.max() ?? 0
        }
        let changes = zip(needed, lengths).map { [0: 0, 1: 1, -1: 2][$0 - $1] ?? 3 }
        for change in changes { sink.put(UInt32(change), 2) }
        for (change, length) in zip(changes, needed) where change == 3 {
          sink.put(UInt32(length), 4)
        }
        lengths = needed
        for (index, difference) in chosen.enumerated() {
          let length = UInt32(lengths[index >> 2])
          sink.put(UInt32(truncatingIfNeeded: difference) & (1 << length - 1), length)
        }
      }
      let values = zip(columns, chosen).map {
        prediction($0, y, left, mode) + $1 * factor + scale
      }
      for (x, value) in zip(columns, values) {
        samples[y * raw.size.width + x] = UInt16(min(max(value, 0), 1 << raw.bits - 1))
      }
    }
    return sink.words()
  }

  /// The predictions that the block at `left` may have, the usual one first.
  private func modes(_ y: Int, _ left: Int) -> [Int] {
    if y < 2 { return [7] }
    if raw.blocks.hasSimpleModes { return [7, 3] }
    return [7]
      + (0..<7).filter {
        let shift = Self.shifts[$0]
        return left + shift >= 0 && left + 15 + shift + step($0) < raw.size.width
      }
  }

  /// How far the second sample of a mean is from the first.
  private func step(_ mode: Int) -> Int { mode == 2 || mode == 4 ? 2 : 0 }

  private func prediction(_ x: Int, _ y: Int, _ left: Int, _ mode: Int) -> Int {
    func sample(_ x: Int, _ y: Int) -> Int { Int(samples[y * raw.size.width + x]) }
    if mode == 7 { return left > 0 ? sample(left - 2 + (x & 1), y) : Self.start }
    let isGreen = (x ^ y) & 1 == 0
    let column = x + Self.shifts[mode] + (isGreen ? (y & 1 == 0 ? 1 : -1) : 0)
    let row = isGreen ? y - 1 : y - 2
    return (sample(column, row) + sample(column + step(mode), row) + 1) >> 1
  }
}
