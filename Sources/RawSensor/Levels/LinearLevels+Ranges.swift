import CVector
import ImageCore
import RawDecode

/// The range of values in blocks of a linear picture, found on its stored samples: values increase
/// with them, so their extrema are those of the values, bit for bit.
extension LinearLevels {
  /// Fills `extrema` and counts the pixels that reach `clip` in each channel. Nil where no one
  /// formula holds for all pixels, and for other files than of three 16-bit integers per pixel.
  func storedRanges(
    reaching clip: SIMD4<Float>, _ extrema: BlockExtrema, workers: Int
  ) -> SIMD4<Int>? {
    guard let samples = uniformCounts, clip.x.isFinite else { return nil }
    let limits = (0..<3).map { channel -> UInt16 in
      // The first count whose value reaches the limit; the last one where none does.
      var (low, high) = (0, 65536)
      while low < high {
        let middle = (low + high) / 2
        if value(UInt16(middle), channel) >= clip[channel] {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return UInt16(clamping: low)
    }
    let isReached = (0..<3).map { value(65535, $0) >= clip[$0] }
    let width = size.width
    let rows = Parallel.map(count: extrema.count.height, workers: workers) { line in
      var reached = [Int](repeating: 0, count: 3)
      let top = line * BlockExtrema.blockHeight
      for block in 0..<extrema.count.width {
        let x = block * BlockExtrema.blockWidth
        let pixels = min(BlockExtrema.blockWidth, width - x)
        var low = [UInt16](repeating: .max, count: 3)
        var high = [UInt16](repeating: 0, count: 3)
        for y in top..<min(top + BlockExtrema.blockHeight, size.height) {
          Self.extend(
            &low, &high, by: samples.counts(row: y) + 3 * x, pixels: pixels,
            counting: &reached, from: limits)
        }
        for c in 0..<3 {
          extrema.add(value(low[c], c), value(high[c], c), channel: c, x: block, y: line)
        }
      }
      return reached
    }
    var sum = SIMD4<Int>()
    for row in rows { for c in 0..<3 where isReached[c] { sum[c] += row[c] } }
    return sum
  }

  /// Extends the range of each of three samples by those of `pixels` pixels, at most 65535, and
  /// counts those that reach their limit.
  private static func extend(
    _ low: inout [UInt16], _ high: inout [UInt16], by counts: UnsafePointer<UInt16>, pixels: Int,
    counting reached: inout [Int], from limits: [UInt16]
  ) {
    // Three vectors hold eight pixels; lane `l` of vector `v` is sample (8v + l) mod 3.
    func spread(_ values: [UInt16], _ v: Int) -> SIMD8<UInt16> {
      var lanes = SIMD8<UInt16>()
      for lane in 0..<8 { lanes[lane] = values[(8 * v + lane) % 3] }
      return lanes
    }
    let whole = pixels & ~7
    for v in 0..<3 {
      let edge = spread(limits, v)
      var (smallest, largest, count) = (spread(low, v), spread(high, v), SIMD8<UInt16>())
      for i in vectors(whole) {
        let x = cv_codes8(counts + (3 &* i &+ 8 &* v))
        smallest = cv_minCodes8(smallest, x)
        largest = cv_maxCodes8(largest, x)
        count = cv_countFrom8(count, x, edge)
      }
      for lane in 0..<8 {
        let c = (8 * v + lane) % 3
        low[c] = min(low[c], smallest[lane])
        high[c] = max(high[c], largest[lane])
        reached[c] += Int(count[lane])
      }
    }
    for i in whole..<pixels {
      for c in 0..<3 {
        let x = counts[3 * i + c]
        low[c] = min(low[c], x)
        high[c] = max(high[c], x)
        if x >= limits[c] { reached[c] += 1 }
      }
    }
  }
}
