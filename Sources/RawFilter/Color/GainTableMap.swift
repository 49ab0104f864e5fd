import CVector
import Foundation
package import ImageCore

/// The local tone map of a DNG (ProfileGainTableMap and ProfileGainTableMap2, DNG 1.7.1 chapter 6).
///
/// A grid of tone curves laid over the active area. Of linear ProPhoto RGB after BaselineExposure,
/// t = clamp(w · (R, G, B, min, max), 0, 1)^gamma; the curve's index is t·N, its neighbors
/// min(⌊tN⌋, N − 1) and the next, so that the last point holds from (N − 1)/N on. The grid's index
/// is (u − origin) / spacing with u = (x + 0.5) / width, clamped to the grid. Between eight points
/// the gain is trilinear, and RGB is multiplied by it. Values above 1 are kept.
/// Strength a: every gain becomes gain^a, so 0 is off and 1 the map as stored.
/// Gains outside 1/4096…4096 are not valid.
/// Known failure: t ends at 1, so all highlights brighter than that share one gain.
package struct GainTableMap: Sendable, Hashable {
  /// Grid points down.
  package let rows: Int
  /// Grid points across.
  package let columns: Int
  /// Distance of grid points as shares of the active area's width (x) and height (y).
  package let spacing: SIMD2<Double>
  /// Place of the first grid point, likewise.
  package let origin: SIMD2<Double>
  /// Points of each curve.
  package let points: Int
  /// Weights of R, G, B, their least and their most in t.
  package let weights: [Float]
  /// Exponent of t.
  package let gamma: Float
  /// [row][column][point].
  package var gains: [Float]

  static let gainRange: ClosedRange<Float> = 1 / 4096...4096

  /// Whether every gain is 1.
  package var isNeutral: Bool { gains.allSatisfy { $0 == 1 } }

  /// Every gain to the power of `amount`; nil for 0, where the map does nothing.
  package func scaled(by amount: Float) -> GainTableMap? {
    guard amount != 0, !isNeutral else { return nil }
    guard amount != 1 else { return self }
    var map = self
    map.gains = gains.map { Float(pow(Double($0), Double(amount))) }
    return map
  }

  /// The gain of one pixel, in the plain words of the formula.
  func gain(_ rgb: SIMD3<Float>, u: Double, v: Double) -> Float {
    let sum =
      weights[0] * rgb.x + weights[1] * rgb.y + weights[2] * rgb.z + weights[3] * rgb.min()
      + weights[4] * rgb.max()
    let t = pow(Double(min(max(sum, 0), 1)), Double(gamma)) * Double(points)
    func between(_ x: Double, _ count: Int) -> (Int, Int, Double) {
      let x = min(max(x, 0), Double(count - 1))
      let low = min(Int(x), count - 1)
      return (low, min(low + 1, count - 1), x - Double(low))
    }
    let (n0, n1, fn) = between(t, points)
    let (x0, x1, fx) = between((u - origin.x) / spacing.x, columns)
    let (y0, y1, fy) = between((v - origin.y) / spacing.y, rows)
    func curve(_ y: Int, _ x: Int) -> Double {
      let base = (y * columns + x) * points
      return Double(gains[base + n0]) * (1 - fn) + Double(gains[base + n1]) * fn
    }
    let top = curve(y0, x0) * (1 - fx) + curve(y0, x1) * fx
    let bottom = curve(y1, x0) * (1 - fx) + curve(y1, x1) * fx
    return Float(top * (1 - fy) + bottom * fy)
  }

  /// Where a row of pixels lies on the active area: pixel i at u = start + i · step, all at v.
  package struct Place: Sendable, Hashable {
    package var firstPixel: Int
    package var start: Double
    package var step: Double
    package var v: Double
  }

  /// Multiplies pixels by their gain and by `scale`, in place.
  package func apply(_ pixels: RGBRows, at place: Place, scale: Float) {
    let line = min(max((place.v - origin.y) / spacing.y, 0), Double(rows - 1))
    let top = min(Int(line), rows - 1)
    let down = (min(top + 1, rows - 1) - top) * columns * points
    let part = Float(line - Double(top))
    // u of the pixel with number 0, in grid points.
    let first = Float((place.start - origin.x) / spacing.x)
    let step = Float(place.step / spacing.x)
    gains.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let table = base + top * columns * points
      // Two rows of the grid make one for these pixels where that is less than reading both for
      // each pixel; it depends on the picture alone, so all parts of it agree to the bit.
      guard down > 0, abs(step) * Float(points) <= 16 else {
        multiply(pixels, place, (first, step), scale) { column, point in
          cv_gainTable8(table, Int32(columns), Int32(points), Int32(down), column, point, part)
        }
        return
      }
      func column(_ pixel: Int) -> Int {
        Int(min(max(Float(pixel) * step + first, 0), Float(columns - 1)))
      }
      let start = max(column(place.firstPixel) - 1, 0) * points
      let end = min(column(place.firstPixel + pixels.count + 8) + 2, columns) * points
      withUnsafeTemporaryAllocation(of: Float.self, capacity: end - start) { line in
        guard let line = line.baseAddress else { return }
        let (above, below) = (table + start, table + start + down)
        for i in 0..<end - start { line[i] = above[i] + (below[i] - above[i]) * part }
        let row = UnsafePointer(line) - start
        multiply(pixels, place, (first, step), scale) { column, point in
          cv_gainRow8(row, Int32(columns), Int32(points), column, point)
        }
      }
    }
  }

  /// Multiplies pixels by `scale` and by what `read` finds for their grid column and curve point.
  @inline(__always)
  private func multiply(
    _ pixels: RGBRows, _ place: Place,
    _ grid: (first: Float, step: Float), _ scale: Float,
    read: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
  ) {
    let weights = (weights[0], weights[1], weights[2], weights[3], weights[4])
    let (last, size) = (Float(columns - 1), Float(points))
    var ramp = SIMD8<Float>()
    for lane in 0..<8 { ramp[lane] = Float(lane) }
    for i in vectors(pixels.count) {
      let rgb = pixels.lanes(i)
      let sum =
        rgb.red * weights.0 + rgb.green * weights.1 + rgb.blue * weights.2
        + rgb.lowest * weights.3 + rgb.highest * weights.4
      var t = cv_clamp8(cv_number8(sum), .zero, SIMD8(repeating: 1))
      if gamma != 1 {
        t = select(t .> 0, cv_exp2_8(cv_log2_8(cv_max8(t, SIMD8(repeating: 1e-30))) * gamma), .zero)
      }
      let number = ramp + Float(place.firstPixel &+ i)
      let column = cv_clamp8(number * grid.step + grid.first, .zero, SIMD8(repeating: last))
      let gain = read(column, cv_clamp8(t * size, .zero, SIMD8(repeating: size - 1))) * scale
      pixels.setLanes(i, rgb * gain)
    }
  }
}
