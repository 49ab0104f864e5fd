import CVector
import ImageCore
import RawDecode

/// The range of light in blocks of a linear picture, found on its stored numbers: as light rises
/// with them, the least and the most number stand for the least and the most light, bit for bit.
extension LinearLevels {
  /// Fills `bounds` and counts the pixels that reach `clip` in each channel. Nil where a number
  /// does not stand for the same light everywhere, and for files that are no three 16-bit integers
  /// a pixel.
  func storedRanges(
    reaching clip: SIMD4<Float>, _ bounds: BlockExtrema, workers: Int
  ) -> SIMD4<Int>? {
    guard let samples = uniformCounts, clip.x.isFinite else { return nil }
    let limits = (0..<3).map { channel -> UInt16 in
      // The first number whose light reaches the limit; the last one where none does.
      var (low, high) = (0, 65536)
      while low < high {
        let middle = (low + high) / 2
        if light(UInt16(middle), channel) >= clip[channel] {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return UInt16(clamping: low)
    }
    let isReached = (0..<3).map { light(65535, $0) >= clip[$0] }
    let width = size.width
    let rows = Parallel.map(count: bounds.count.height, workers: workers) { line in
      var reached = [Int](repeating: 0, count: 3)
      let top = line * BlockExtrema.blockHeight
      for block in 0..<bounds.count.width {
        let x = block * BlockExtrema.blockWidth
        let pixels = min(BlockExtrema.blockWidth, width - x)
        var least = [UInt16](repeating: .max, count: 3)
        var most = [UInt16](repeating: 0, count: 3)
        for y in top..<min(top + BlockExtrema.blockHeight, size.height) {
          Self.extend(
            &least, &most, by: samples.counts(row: y) + 3 * x, pixels: pixels,
            counting: &reached, from: limits)
        }
        for c in 0..<3 {
          bounds.add(light(least[c], c), light(most[c], c), channel: c, x: block, y: line)
        }
      }
      return reached
    }
    var sum = SIMD4<Int>()
    for row in rows { for c in 0..<3 where isReached[c] { sum[c] += row[c] } }
    return sum
  }

  /// Extends the range of each of three samples by those of `pixels` pixels, and counts those that
  /// reach their limit; no more pixels than codes have values.
  private static func extend(
    _ least: inout [UInt16], _ most: inout [UInt16], by codes: UnsafePointer<UInt16>, pixels: Int,
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
      var (low, high, count) = (spread(least, v), spread(most, v), SIMD8<UInt16>())
      for i in vectors(whole) {
        let x = cv_codes8(codes + (3 &* i &+ 8 &* v))
        low = cv_minCodes8(low, x)
        high = cv_maxCodes8(high, x)
        count = cv_countFrom8(count, x, edge)
      }
      for lane in 0..<8 {
        let c = (8 * v + lane) % 3
        least[c] = min(least[c], low[lane])
        most[c] = max(most[c], high[lane])
        reached[c] += Int(count[lane])
      }
    }
    for i in whole..<pixels {
      for c in 0..<3 {
        let x = codes[3 * i + c]
        least[c] = min(least[c], x)
        most[c] = max(most[c], x)
        if x >= limits[c] { reached[c] += 1 }
      }
    }
  }
}
