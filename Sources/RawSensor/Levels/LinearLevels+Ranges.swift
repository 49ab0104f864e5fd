import CKernels
import ImageCore
import RawData

/// The range of values in blocks of a picture, measured on its stored samples: values increase with
/// them, so both have their extrema at the same pixels.
extension LinearLevels {
  /// Fills `extrema` and counts the pixels that reach `clip` in each channel. Nil if the formula
  /// varies between pixels, or pixels are not three 16-bit integers.
  func storedRanges(
    reaching clip: SIMD4<Float>, _ extrema: BlockExtrema, workers: Int
  ) throws(PixelError) -> SIMD4<Int>? {
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
    let rows = try Parallel.map(count: extrema.count.height, workers: workers) { line in
      var reached = [Int](repeating: 0, count: 3)
      var found = [ck_pixelRange](repeating: ck_pixelRange(), count: 3)
      let top = line * BlockExtrema.blockHeight
      for block in 0..<extrema.count.width {
        let x = block * BlockExtrema.blockWidth
        ck_pixelRanges(
          samples.counts(row: top) + 3 * x, Int64(samples.stride),
          Int64(min(BlockExtrema.blockWidth, size.width - x)),
          Int64(min(BlockExtrema.blockHeight, size.height - top)), limits, &found)
        for (c, range) in found.enumerated() {
          reached[c] += Int(range.reached)
          extrema.add(value(range.low, c), value(range.high, c), channel: c, x: block, y: line)
        }
      }
      return reached
    }
    var sum = SIMD4<Int>()
    for row in rows { for c in 0..<3 where isReached[c] { sum[c] += row[c] } }
    return sum
  }

  /// Whether each of the four photosites of a 2 × 2 mosaic has one formula.
  var hasSiteRanges: Bool {
    samples.format == .uint16 && samplesPerPixel == 1 && levels.curves.isEmpty
      && levels.deltaColumn.isEmpty && levels.deltaRow.isEmpty && 2 % levels.patternWidth == 0
      && 2 % levels.patternHeight == 0 && size.width % 2 == 0 && size.height % 2 == 0
  }

  /// The smallest and largest value in `rect` of each of these four, row by row; `rect` must be
  /// aligned to the pattern.
  func siteRanges(in rect: PixelRect) -> [(low: Float, high: Float)] {
    var ranges = [ck_siteRange](repeating: ck_siteRange(), count: 4)
    ck_mosaicRanges(
      samples.counts(row: rect.y) + rect.x, Int64(samples.stride), Int64(rect.width),
      Int64(rect.height), &ranges)
    return ranges.enumerated().map { site, range in
      let row = levelRow(rect.y + site >> 1, rect.x + site & 1, 0)
      let gain = row.gains?[0] ?? row.gain
      return ((Float(range.low) - row.black[0]) * gain, (Float(range.high) - row.black[0]) * gain)
    }
  }
}
