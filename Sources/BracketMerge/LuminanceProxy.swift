import Foundation
import ImageCore
import RawDecode
import RawSensor

/// A small gray picture of a frame for its alignment: the mean of each cell of the filter pattern,
/// 2 × 2 photosites or 3 × 3 of X-Trans, in units of the shortest frame's linear values.
struct LuminanceProxy: Sendable {
  /// Photosites along one pixel.
  let cell: Int
  let size: PixelSize
  /// Mean of each cell, row by row.
  let values: [Float]
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
  ) throws(PixelError) {
    let cell = channels.patternWidth % 3 == 0 ? 3 : 2
    let size = PixelSize(width: channels.size.width / cell, height: channels.size.height / cell)
    let width = cell * channels.perPixel
    let gain = 1 / (time * Float(width * cell))
    let rows = try Parallel.map(count: size.height, workers: workers) { line in
      var sums = [Float](repeating: 0, count: size.width)
      var valid = [Bool](repeating: true, count: size.width)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: channels.rowCount) { row in
        guard let values = row.baseAddress else { return }
        for y in line * cell..<(line + 1) * cell {
          levels.fill(row: y, into: values)
          let limits = channels.row(y, of: noise.saturation * Self.brightest)
          limits.withUnsafeBufferPointer { limits in
            var (i, phase) = (0, 0)
            for x in 0..<size.width {
              var (sum, isValid) = (sums[x], valid[x])
              for _ in 0..<width {
                sum += values[i]
                if values[i] > limits[phase] { isValid = false }
                i &+= 1
                phase = phase &+ 1 == limits.count ? 0 : phase &+ 1
              }
              (sums[x], valid[x]) = (sum, isValid)
            }
          }
        }
      }
      return (sums.map { $0 * gain }, valid)
    }
    self.cell = cell
    self.size = size
    values = rows.flatMap(\.0)
    isValid = rows.flatMap(\.1)
    blackNoise = noise.read.y.squareRoot() / (time * Float(width * cell).squareRoot())
  }
}

/// One level of a pyramid of log luminance: values in stops, and the weight of each.
struct LogLuminance: Sendable {
  /// Photosites along one pixel.
  let cell: Double
  let size: PixelSize
  let values: [Float]
  let weights: [Float]

  /// From `proxy`; `floor` is added to all values so that noise does not dominate.
  init(_ proxy: LuminanceProxy, floor: Float) {
    cell = Double(proxy.cell)
    size = proxy.size
    let minimum = floor / 4
    values = proxy.values.map { log2(max($0, -floor + minimum) + floor) }
    weights = proxy.isValid.map { $0 ? 1 : 0 }
  }

  private init(cell: Double, size: PixelSize, values: [Float], weights: [Float]) {
    (self.cell, self.size, self.values, self.weights) = (cell, size, values, weights)
  }

  /// Half the size: means of four.
  var halved: LogLuminance {
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    let width = size.width
    /// `join` of each four of `values`.
    func joined(
      _ values: [Float], _ join: (Float, Float, Float, Float) -> Float
    ) -> [Float] {
      [Float](unsafeUninitializedCapacity: half.area) { out, count in
        values.withUnsafeBufferPointer { values in
          for y in 0..<half.height {
            for x in 0..<half.width {
              let i = 2 &* (y &* width &+ x)
              out[y &* half.width &+ x] = join(
                values[i], values[i &+ 1], values[i &+ width], values[i &+ width &+ 1])
            }
          }
        }
        count = half.area
      }
    }
    return LogLuminance(
      cell: cell * 2, size: half, values: joined(values) { ($0 + $1 + $2 + $3) / 4 },
      // One that does not count spoils the mean.
      weights: joined(weights) { $0 * $1 * $2 * $3 })
  }

  /// Smoothed by (1, 4, 6, 4, 1)/16 in both directions, and without what lies `margin` pixels
  /// around pixels that do not count.
  func smoothed(margin: Int) -> LogLuminance {
    LogLuminance(
      cell: cell, size: size,
      values: filtered(values, reach: 2) { rows, out, count in
        let (a, b, c, d, e) = (rows[0], rows[1], rows[2], rows[3], rows[4])
        for x in 0..<count {
          let sum = a[x] * 0.0625 + b[x] * 0.25
          out[x] = sum + c[x] * 0.375 + d[x] * 0.25 + e[x] * 0.0625
        }
      },
      weights: filtered(weights, reach: margin) { rows, out, count in
        out.update(from: rows[0], count: count)
        for row in rows.dropFirst() {
          for x in 0..<count { out[x] = row[x] < out[x] ? row[x] : out[x] }
        }
      })
  }

  /// `source` with `join` of the values up to `reach` to the left and right, then up and down; at
  /// the borders the outermost ones repeat.
  private func filtered(
    _ source: [Float], reach: Int,
    _ join: ([UnsafePointer<Float>], UnsafeMutablePointer<Float>, Int) -> Void
  ) -> [Float] {
    let (width, height) = (size.width, size.height)
    var line = [Float](repeating: 0, count: width + 2 * reach)
    let across = [Float](unsafeUninitializedCapacity: size.area) { out, count in
      source.withUnsafeBufferPointer { source in
        line.withUnsafeMutableBufferPointer { line in
          guard let start = line.baseAddress, let first = out.baseAddress else { return }
          let rows = (0...2 * reach).map { UnsafePointer(start + $0) }
          for y in 0..<height {
            for x in 0..<width + 2 * reach {
              start[x] = source[y &* width &+ min(max(x &- reach, 0), width &- 1)]
            }
            join(rows, first + y * width, width)
          }
        }
      }
      count = size.area
    }
    return [Float](unsafeUninitializedCapacity: size.area) { out, count in
      across.withUnsafeBufferPointer { across in
        guard let start = across.baseAddress, let first = out.baseAddress else { return }
        for y in 0..<height {
          let rows = (-reach...reach).map { start + min(max(y + $0, 0), height - 1) * width }
          join(rows, first + y * width, width)
        }
      }
      count = size.area
    }
  }

  /// The center of a picture of size `picture` in photosites, as a position in pixels here.
  func middle(of picture: PixelSize) -> (x: Double, y: Double) {
    (Double(picture.width) / 2 / cell - 0.5, Double(picture.height) / 2 / cell - 0.5)
  }
}
