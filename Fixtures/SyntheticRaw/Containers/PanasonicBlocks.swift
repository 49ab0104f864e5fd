import ImageCore

/// Panasonic's lossy codings. Each block of 16 bytes is read alone.
///
/// Storage 4: 14 samples of 12 bits. The first of either column parity has 12 bits; the others 8,
/// shifted left by 0, 1, 2 or 4, from the last of their parity less half the range, the same for
/// three in a row; with 4, or where the range would begin below 0, the range begins at 0 except for
/// the lowest bits. 0 repeats the last. Bits are read from the end of a block.
///
/// Storage 6: 11 samples of 14 bits, which are stored 15 higher. The first of either parity has 14
/// bits; the others 10, times 1, 2, 4 or 16, the same for three in a row, from the last of their
/// parity less half the range on, where that is above 0 and the factor is not 16. Bits are read
/// from the end of the block, too.
///
/// Loss: half the factor, none where neighbors differ little.
///
/// Source: published analyses (dcraw's and rawspeed's decoders, LibRaw's panasonicC6).
enum PanasonicBlocks {
  /// Bits and what they are read as.
  private typealias Step = (stored: Int, read: Int)

  static func blocksOf14(
    _ raw: CameraContainer
  ) throws(CameraContainer.Problem) -> ([UInt8], [UInt16]) {
    try raw.require(
      raw.bits == 12 && raw.size.width % 14 == 0 && raw.samples.allSatisfy { $0 >= 16 },
      "12 bits of at least 16, rows of a multiple of 14 columns")
    return coded(raw, block: 14, first: 12, others: 8, offset: 0) { value, last, shift in
      let low = last & (1 << shift - 1)
      let base = shift == 4 || last < 0x80 << shift ? low : last - 0x80 << shift
      let stored = min(max((value - base + (1 << shift) / 2) >> shift, 1), 255)
      let read = base + stored << shift
      return abs(last - value) <= abs(read - value) ? (0, last) : (stored, read)
    }
  }

  static func blocksOf11(
    _ raw: CameraContainer
  ) throws(CameraContainer.Problem) -> ([UInt8], [UInt16]) {
    try raw.require(
      raw.bits == 14 && raw.size.width % 11 == 0 && raw.size.height % 16 == 0
        && raw.samples.allSatisfy { $0 <= 16_353 },
      "14 bits of at most 16353, rows of a multiple of 11 columns, a multiple of 16 rows")
    return coded(raw, block: 11, first: 14, others: 10, offset: 15) { value, last, shift in
      let middle = 0x200 << shift
      let base = shift < 4 && last > middle ? last - middle : 0
      let stored = min(max((value - base + (1 << shift) / 2) >> shift, 0), 1023)
      return (stored, base + stored << shift)
    }
  }

  /// Data and what they decode to: for three samples the least shift with which each is read to
  /// half a step.
  private static func coded(
    _ raw: CameraContainer, block: Int, first: UInt32, others: UInt32, offset: Int,
    _ step: (_ value: Int, _ last: Int, _ shift: Int) -> Step
  ) -> ([UInt8], [UInt16]) {
    var bytes: [UInt8] = []
    var decoded: [UInt16] = []
    decoded.reserveCapacity(raw.samples.count)
    for start in stride(from: 0, to: raw.samples.count, by: block) {
      let values = raw.samples[start..<start + block].map { Int($0) + offset }
      var sink = BitSink()
      var last = [values[0], values[1]]
      for value in last {
        sink.put(UInt32(value), first)
        decoded.append(UInt16(value - offset))
      }
      for triple in stride(from: 2, to: block, by: 3) {
        let columns = triple..<min(triple + 3, block)
        func steps(_ shift: Int) -> [Step] {
          var last = last
          return columns.map { i in
            let made = step(values[i], last[i & 1], shift)
            last[i & 1] = made.read
            return made
          }
        }
        let choices = [0, 1, 2, 4].map { ($0, steps($0)) }
        let code =
          choices.firstIndex { shift, steps in
            zip(columns, steps).allSatisfy { abs($1.read - values[$0]) <= (1 << shift) / 2 }
          } ?? 3
        sink.put(UInt32(code), 2)
        for (i, made) in zip(columns, choices[code].1) {
          sink.put(UInt32(made.stored), others)
          last[i & 1] = made.read
          decoded.append(UInt16(made.read - offset))
        }
      }
      sink.finish()
      bytes += [UInt8](repeating: 0, count: 16 - sink.bytes.count) + sink.bytes.reversed()
    }
    return (bytes, decoded)
  }
}
