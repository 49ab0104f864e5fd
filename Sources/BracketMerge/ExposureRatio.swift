import ImageCore
import RawDecode
import RawSensor

/// The ratio of two frames' exposures, measured in both.
///
/// Source: own; the robust ratio of means as in the calibration of detectors. Formula: the picture
/// is divided into blocks of complete filter patterns, at least `side` photosites wide. A block
/// counts when neither exposure is near saturation in it and the noise of both means allows
/// `precision` for their ratio. The center is the median of the blocks' ratios, weighted by the
/// inverse variance, with a deviation of at least `minDeviation`; the result is the ratio of the
/// sums of all blocks within `tolerance`, or four standard deviations, of it. Motion and flare are
/// thus excluded. Units: linear values of each frame, black 0; the result is a factor. Domain:
/// frames of one pattern, the one at most some stops longer. Known failures: fewer than `minBlocks`
/// blocks usable in both frames, where nil is returned; illumination that changed between the
/// frames counts as exposure.
struct ExposureRatio: Sendable {
  static let side = 16
  static let precision = 0.03
  static let tolerance = 0.01
  static let minBlocks = 12
  /// Relative: photosites differ, and bright blocks would otherwise dominate.
  private static let minDeviation = 0.0025
  /// Brightest value of a frame as a fraction of its saturation.
  private static let brightest: Float = 0.9

  /// One block: sums of both frames, and the relative variance of their ratio.
  private struct Block {
    var short: Double
    var long: Double
    var variance: Double

    var ratio: Double { long / short }
  }

  /// Exposure of `long` over `short`; nil where too few blocks are usable.
  static func measured(
    short: (levels: LinearLevels, noise: FrameNoise),
    long: (levels: LinearLevels, noise: FrameNoise), channels: SampleChannels, workers: Int
  ) throws(PixelError) -> Double? {
    let size = channels.size
    let height = blockSide(channels.patternHeight)
    // Samples of a row, in complete pixels.
    let width = blockSide(channels.patternWidth) * channels.perPixel
    let (lines, across) = (size.height / height, channels.rowCount / width)
    guard lines > 0, across > 0 else { return nil }
    let rows = try Parallel.map(count: lines, workers: workers) { line in
      var sums = [(short: Double, long: Double, isBright: Bool)](
        repeating: (0, 0, false), count: across)
      let count = channels.rowCount
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * count) { memory in
        guard let first = memory.baseAddress else { return }
        let second = first + count
        for y in line * height..<(line + 1) * height {
          short.levels.fill(row: y, into: first)
          long.levels.fill(row: y, into: second)
          let limits = (
            channels.row(y, of: short.noise.saturation * brightest),
            channels.row(y, of: long.noise.saturation * brightest)
          )
          for block in 0..<across {
            var (a, b): (Float, Float) = (0, 0)
            var isBright = false
            for x in block * width..<(block + 1) * width {
              a += first[x]
              b += second[x]
              let filter = x % limits.0.count
              isBright = isBright || first[x] > limits.0[filter] || second[x] > limits.1[filter]
            }
            sums[block].short += Double(a)
            sums[block].long += Double(b)
            sums[block].isBright = sums[block].isBright || isBright
          }
        }
      }
      let samples = Double(width * height)
      return sums.compactMap { sum -> Block? in
        guard !sum.isBright, sum.short > 0, sum.long > 0 else { return nil }
        let variance = max(
          relative(sum.short / samples, short.noise, samples)
            + relative(sum.long / samples, long.noise, samples), minDeviation * minDeviation)
        guard variance < precision * precision else { return nil }
        return Block(short: sum.short, long: sum.long, variance: variance)
      }
    }
    return ratio(of: rows.flatMap { $0 })
  }

  /// A multiple of the pattern that is `side` and more.
  private static func blockSide(_ pattern: Int) -> Int { (side + pattern - 1) / pattern * pattern }

  /// Relative variance of the mean of `samples` values around `mean`.
  private static func relative(_ mean: Double, _ noise: FrameNoise, _ samples: Double) -> Double {
    (Double(noise.shot.y) * mean + Double(noise.read.y)) / (samples * mean * mean)
  }

  private static func ratio(of blocks: [Block]) -> Double? {
    guard blocks.count >= minBlocks else { return nil }
    let sorted = blocks.sorted { $0.ratio < $1.ratio }
    let total = sorted.reduce(0) { $0 + 1 / $1.variance }
    var below = 0.0
    var middle = sorted[0].ratio
    for block in sorted {
      below += 1 / block.variance
      middle = block.ratio
      if below >= total / 2 { break }
    }
    var (short, long) = (0.0, 0.0)
    for block in blocks {
      let reach = max(tolerance, 4 * block.variance.squareRoot()) * middle
      guard abs(block.ratio - middle) <= reach else { continue }
      short += block.short
      long += block.long
    }
    return short > 0 ? long / short : nil
  }
}
