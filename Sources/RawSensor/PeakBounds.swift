import ImageCore
import RawData

/// Upper bounds of a weighted sum of channels in each block of a mosaic, from the extrema of its
/// channels: for the search of the brightest pixel.
struct PeakBounds: Sendable {
  let extrema: BlockExtrema
  let cfa: CFA
  let matrix: ChannelMatrix
  let clip: SIMD4<Float>
  /// Largest reconstructed value of a saturated photosite of each channel.
  let ceiling: SIMD4<Float>
  /// Bounds of the gains that follow reconstruction.
  var gains: ClosedRange<Float> = 1...1

  /// All blocks of photosites within `size`, with bounds of `factor` times the largest of several
  /// weighted sums of balanced red, green and blue in their superpixels. `known`: the largest sum
  /// of each block except for rounding, infinity if unknown.
  func blocks(
    _ size: PixelSize, weights: [SIMD3<Float>], factor: Float = 1, known: [Float]? = nil
  ) -> [BrightestSearch.Block] {
    let rows = weights.map { channelWeights($0) }
    var result: [BrightestSearch.Block] = []
    for y in 0..<extrema.count.height {
      for x in 0..<extrema.count.width {
        let rect = PixelRect(
          x: x * BlockExtrema.blockWidth, y: y * BlockExtrema.blockHeight,
          width: BlockExtrema.blockWidth, height: BlockExtrema.blockHeight
        ).intersection(PixelRect(size))
        let block = extrema.block(x: x, y: y)
        let index = result.count
        var limit = rows.map { self.limit(block, $0) }.max() ?? Float.infinity
        if let known {
          let rounding = rows.map { magnitude(block, $0) * BrightestSearch.rounding }.max() ?? 0
          limit = min(limit, known[index] + rounding)
        }
        result.append(BrightestSearch.Block(index: index, rect: rect, limit: limit * factor))
      }
    }
    return result
  }

  /// Weights of the four channels that give the sum with `weights` of red, green and blue.
  private func channelWeights(_ weights: SIMD3<Float>) -> SIMD4<Float> {
    switch cfa.channelCount {
    case 1: return SIMD4(weights.sum(), 0, 0, 0)
    case 4:
      var result = SIMD4<Float>()
      for c in 0..<4 {
        var unit = SIMD4<Float>()
        unit[c] = 1
        result[c] = (weights * matrix.apply(unit)).sum()
      }
      return result
    default: return SIMD4(weights, 0)
    }
  }

  private func limit(_ block: BlockExtrema.Block, _ weights: SIMD4<Float>) -> Float {
    var sum: Float = 0
    var size: Float = 0
    for c in 0..<4 where weights[c] != 0 {
      let high = gained(highest(block, c)).upperBound
      let low = gained(min(block.low[c], ceiling[c])).lowerBound
      let part = weights[c] > 0 ? weights[c] * high : weights[c] * low
      sum += part
      size += abs(part)
    }
    return sum + size * BrightestSearch.rounding
  }

  /// The largest value of channel `c`: saturated photosites are raised at most to the ceiling, or
  /// lowered to it where they are clipped.
  private func highest(_ block: BlockExtrema.Block, _ c: Int) -> Float {
    block.high[c] >= clip[c] ? max(block.high[c], ceiling[c]) : block.high[c]
  }

  /// Upper bound of the sum of the terms' magnitudes.
  private func magnitude(_ block: BlockExtrema.Block, _ weights: SIMD4<Float>) -> Float {
    (0..<4).reduce(0) { sum, c in
      guard weights[c] != 0 else { return sum }
      let (high, low) = (gained(highest(block, c)), gained(block.low[c]))
      return sum + abs(weights[c])
        * max(abs(high.lowerBound), abs(high.upperBound), abs(low.lowerBound), abs(low.upperBound))
    }
  }

  /// The bounds of `value` after the gains.
  private func gained(_ value: Float) -> ClosedRange<Float> {
    guard value.isFinite else { return value...value }
    let ends = (value * gains.lowerBound, value * gains.upperBound)
    return min(ends.0, ends.1)...max(ends.0, ends.1)
  }
}
