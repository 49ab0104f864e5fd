import Foundation

/// The local tone map of a DNG (ProfileGainTableMap and ProfileGainTableMap2, DNG 1.7.1 chapter 6).
///
/// A grid of tone curves covering the active area. For linear ProPhoto RGB after BaselineExposure,
/// t = clamp(w · (R, G, B, min, max), 0, 1)^gamma; the curve index is t·N, between min(⌊tN⌋, N − 1)
/// and the next, so that the last point applies from (N − 1)/N on. The grid index is (u − origin) /
/// spacing with u = (x + 0.5) / width, clamped to the grid. The gain is trilinear between eight
/// points and multiplies RGB. Values above 1 are preserved.
///
/// Strength a: every gain becomes gain^a, so 0 is off and 1 the map as stored. Gains outside
/// 1/4096…4096 are invalid. Known failure: t is clamped to 1, so all brighter highlights have the
/// same gain.
package struct GainTableMap: Sendable, Hashable {
  /// Rows of the grid.
  package let rows: Int
  /// Columns of the grid.
  package let columns: Int
  /// Distance of grid points as fractions of the active area's width (x) and height (y).
  package let spacing: SIMD2<Double>
  /// Position of the first grid point, likewise.
  package let origin: SIMD2<Double>
  /// Points per curve.
  package let points: Int
  /// Weights of R, G, B, their minimum and maximum in t.
  package let weights: [Float]
  /// Exponent of t.
  package let gamma: Float
  /// [row][column][point].
  package var gains: [Float]

  static let gainRange: ClosedRange<Float> = 1 / 4096...4096

  /// Converts a curve of one point to two points, as required for lookup.
  package var withCurves: GainTableMap {
    guard points == 1 else { return self }
    return GainTableMap(
      rows: rows, columns: columns, spacing: spacing, origin: origin, points: 2,
      weights: weights, gamma: gamma, gains: (0..<2 * gains.count).map { gains[$0 / 2] })
  }

  /// Whether every gain is 1.
  package var isNeutral: Bool { gains.allSatisfy { $0 == 1 } }

  /// Every gain to the power of `amount`; nil for 0, where the map has no effect.
  package func scaled(by amount: Float) -> GainTableMap? {
    guard amount != 0, !isNeutral else { return nil }
    guard amount != 1 else { return self }
    var map = self
    map.gains = gains.map { Float(pow(Double($0), Double(amount))) }
    return map
  }

  /// The gain of one pixel, by the formula above.
  package func gain(_ rgb: SIMD3<Float>, u: Double, v: Double) -> Float {
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
}
