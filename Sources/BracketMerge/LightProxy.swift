import Foundation
import ImageCore
import RawDecode
import RawSensor

/// A small gray picture of a frame for its alignment: the mean of each cell of the filter pattern,
/// 2 × 2 photosites or 3 × 3 of X-Trans, in units of the shortest frame's linear values.
struct LightProxy: Sendable {
  /// Photosites along one pixel.
  let cell: Int
  let size: PixelSize
  /// Mean light of each cell, row by row.
  let light: [Float]
  /// Whether no photosite of a cell is saturated.
  let isValid: [Bool]
  /// Standard deviation of a cell's noise at black.
  let blackNoise: Float

  /// Fraction of saturation above which a photosite does not count.
  private static let brightest: Float = 0.95

  /// Of a frame with the exposure `time`.
  init(
    _ levels: LinearLevels, _ noise: FrameNoise, time: Float, channels: SampleChannels,
    workers: Int
  ) {
    let cell = channels.patternWidth % 3 == 0 ? 3 : 2
    let size = PixelSize(width: channels.size.width / cell, height: channels.size.height / cell)
    let width = cell * channels.perPixel
    let gain = 1 / (time * Float(width * cell))
    let rows = Parallel.map(count: size.height, workers: workers) { line in
      var sums = [Float](repeating: 0, count: size.width)
      var valid = [Bool](repeating: true, count: size.width)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: channels.rowCount) { row in
        guard let values = row.baseAddress else { return }
        for y in line * cell..<(line + 1) * cell {
          levels.fill(row: y, into: values)
          let limits = channels.row(y, of: noise.saturation * Self.brightest)
          for x in 0..<size.width {
            for i in x * width..<(x + 1) * width {
              sums[x] += values[i]
              if values[i] > limits[i % limits.count] { valid[x] = false }
            }
          }
        }
      }
      return (sums.map { $0 * gain }, valid)
    }
    self.cell = cell
    self.size = size
    light = rows.flatMap(\.0)
    isValid = rows.flatMap(\.1)
    blackNoise = noise.read.y.squareRoot() / (time * Float(width * cell).squareRoot())
  }
}

/// One level of a pyramid of logarithmic light: values in stops, and how much each counts.
struct LogLight: Sendable {
  /// Photosites along one pixel.
  let cell: Double
  let size: PixelSize
  let values: [Float]
  let weights: [Float]

  /// Of `proxy`, where `floor` is added to all light so that noise does not decide.
  init(_ proxy: LightProxy, floor: Float) {
    cell = Double(proxy.cell)
    size = proxy.size
    let least = floor / 4
    values = proxy.light.map { log2(max($0, -floor + least) + floor) }
    weights = proxy.isValid.map { $0 ? 1 : 0 }
  }

  private init(cell: Double, size: PixelSize, values: [Float], weights: [Float]) {
    (self.cell, self.size, self.values, self.weights) = (cell, size, values, weights)
  }

  /// Half the size: means of four.
  var halved: LogLight {
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    var (values, weights): ([Float], [Float]) = ([], [])
    values.reserveCapacity(half.area)
    weights.reserveCapacity(half.area)
    for y in 0..<half.height {
      for x in 0..<half.width {
        let i = 2 * y * size.width + 2 * x
        let four = [i, i + 1, i + size.width, i + size.width + 1]
        values.append(four.reduce(0) { $0 + self.values[$1] } / 4)
        // One that does not count spoils the mean.
        weights.append(four.reduce(1) { min($0, self.weights[$1]) })
      }
    }
    return LogLight(cell: cell * 2, size: half, values: values, weights: weights)
  }

  /// Smoothed by (1, 4, 6, 4, 1)/16 in both directions, and without what lies `margin` pixels
  /// around pixels that do not count.
  func smoothed(margin: Int) -> LogLight {
    let taps: [Float] = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    let (width, height) = (size.width, size.height)
    var (across, least) = (values, weights)
    for y in 0..<height {
      let row = y * width
      for x in 0..<width {
        var (sum, low): (Float, Float) = (0, 1)
        for k in -2...2 { sum += taps[k + 2] * values[row + min(max(x + k, 0), width - 1)] }
        for k in -margin...margin { low = min(low, weights[row + min(max(x + k, 0), width - 1)]) }
        (across[row + x], least[row + x]) = (sum, low)
      }
    }
    var (result, counted) = (across, least)
    for y in 0..<height {
      for x in 0..<width {
        var (sum, low): (Float, Float) = (0, 1)
        for k in -2...2 { sum += taps[k + 2] * across[min(max(y + k, 0), height - 1) * width + x] }
        for k in -margin...margin {
          low = min(low, least[min(max(y + k, 0), height - 1) * width + x])
        }
        (result[y * width + x], counted[y * width + x]) = (sum, low)
      }
    }
    return LogLight(cell: cell, size: size, values: result, weights: counted)
  }

  /// The middle of a picture of `whole` photosites as a position in pixels here.
  func middle(of whole: PixelSize) -> (x: Double, y: Double) {
    (Double(whole.width) / 2 / cell - 0.5, Double(whole.height) / 2 / cell - 0.5)
  }
}
