import Foundation
import ImageCore

/// The registration of a camera's preview with our own picture: `own` = center + scale · (position
/// − center) + shift, all in fractions of the sides.
///
/// Source: least squares on the structure of both, perceptual luminance minus its local mean,
/// divided by its local standard deviation, by Gauss–Newton from coarse to fine (Lucas and Kanade,
/// 1981). Structure does not depend on tone and color, which are compared later. Scale and shift of
/// each axis: cameras crop and stretch their previews, but do not turn them. Domain: offsets of a
/// few hundredths of the sides. Known failure: pictures without structure, whose correlation is
/// low.
struct PreviewAlignment: Sendable, Hashable {
  var scale = SIMD2(1.0, 1.0)
  var shift = SIMD2(0.0, 0.0)
  /// Correlation of both structures, −1…1.
  var correlation = 0.0

  /// Below this, a preview does not show the picture.
  static let minCorrelation = 0.5

  private static let sides = [48, 96, 192]
  private static let steps = 8

  /// The position on our picture that corresponds to `position` on the preview.
  func own(_ position: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(0.5, 0.5) + scale * (position - SIMD2(0.5, 0.5)) + shift
  }

  /// Registers `preview` with `own`.
  init(_ own: SummedAreaTable, _ preview: SummedAreaTable) {
    for side in Self.sides {
      let longest = max(preview.size.width, preview.size.height)
      let size = PixelSize(
        width: max(preview.size.width * side / longest, 8),
        height: max(preview.size.height * side / longest, 8))
      let (a, b) = (Structure(own, size), Structure(preview, size))
      for _ in 0..<Self.steps where !refine(a, b) { break }
      correlation = correlation(a, b)
    }
  }

  /// One Gauss–Newton step; false if it converged or failed.
  private mutating func refine(_ a: Structure, _ b: Structure) -> Bool {
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
    let size = b.size
    for y in 0..<size.height {
      for x in 0..<size.width {
        let position = SIMD2(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        guard let (value, slope) = a.value(at: own(position)) else { continue }
        let rest = b.values[y * size.width + x] - value
        let from = position - SIMD2(0.5, 0.5)
        let row = SIMD4(slope.x * from.x, slope.y * from.y, slope.x, slope.y)
        // Robust: large residuals have less weight.
        let weight = 1 / (1 + rest * rest)
        for i in 0..<4 {
          for j in 0...i { normal[i][j] += weight * row[i] * row[j] }
          normal[i][4] += weight * row[i] * rest
        }
      }
    }
    for i in 0..<4 {
      normal[i][i] *= 1.0001
      for j in i + 1..<4 { normal[i][j] = normal[j][i] }
    }
    guard let step = LinearEquations.solution(normal) else { return false }
    // Outside the domain.
    let (scale, shift) = (scale + SIMD2(step[0], step[1]), shift + SIMD2(step[2], step[3]))
    guard abs(scale.x - 1) < 0.12, abs(scale.y - 1) < 0.12, abs(shift.x) < 0.1, abs(shift.y) < 0.1
    else { return false }
    (self.scale, self.shift) = (scale, shift)
    return step.contains { abs($0) > 1e-5 }
  }

  private func correlation(_ a: Structure, _ b: Structure) -> Double {
    var (count, sa, sb, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for y in 0..<b.size.height {
      for x in 0..<b.size.width {
        let position = SIMD2(
          (Double(x) + 0.5) / Double(b.size.width), (Double(y) + 0.5) / Double(b.size.height))
        guard let (value, _) = a.value(at: own(position)) else { continue }
        let other = b.values[y * b.size.width + x]
        count += 1
        (sa, sb) = (sa + value, sb + other)
        (aa, bb, ab) = (aa + value * value, bb + other * other, ab + value * other)
      }
    }
    let spread = ((aa * count - sa * sa) * (bb * count - sb * sb)).squareRoot()
    return spread > 1e-9 && count >= Double(b.size.area) / 2 ? (ab * count - sa * sb) / spread : 0
  }

  /// The structure of a picture at a size.
  private struct Structure {
    let size: PixelSize
    let values: [Double]

    init(_ picture: SummedAreaTable, _ size: PixelSize) {
      self.size = size
      let step = SIMD2(
        Double(picture.size.width) / Double(size.width),
        Double(picture.size.height) / Double(size.height))
      func plane(_ value: (_ x: Int, _ y: Int) -> Double) -> SummedAreaTable {
        SummedAreaTable(size, white: .infinity) { SIMD3(repeating: value($0, $1)) }
      }
      let lightness = plane { x, y in
        let low = SIMD2(Double(x), Double(y)) * step
        let mean = picture.mean(low, low + step)
        return cbrt(max(0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2], 0))
      }
      func around(_ sums: SummedAreaTable, _ x: Int, _ y: Int, _ radius: Double)
        -> SummedAreaTable.Values
      {
        let limit = SIMD2(Double(size.width), Double(size.height))
        let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        return sums.mean(
          (center - radius).clamped(lowerBound: .zero, upperBound: limit),
          (center + radius).clamped(lowerBound: .zero, upperBound: limit))
      }
      let side = Double(max(size.width, size.height))
      let (fine, wide) = (max(side / 200, 1), side / 24)
      var values = [Double](repeating: 0, count: size.area)
      for y in 0..<size.height {
        for x in 0..<size.width {
          values[y * size.width + x] =
            around(lightness, x, y, fine)[0] - around(lightness, x, y, wide)[0]
        }
      }
      let detail = plane { values[$1 * size.width + $0] }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let power = around(detail, x, y, 2 * wide)[3]
          values[y * size.width + x] /= (power + 2e-5).squareRoot()
        }
      }
      self.values = values
    }

    /// The value and its gradient in units of the sides; nil outside.
    func value(at position: SIMD2<Double>) -> (Double, SIMD2<Double>)? {
      let (x, y) = (
        position.x * Double(size.width) - 0.5, position.y * Double(size.height) - 0.5
      )
      let (x0, y0) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      guard x0 >= 0, y0 >= 0, x0 + 1 < size.width, y0 + 1 < size.height else { return nil }
      let (fx, fy) = (x - Double(x0), y - Double(y0))
      let at = y0 * size.width + x0
      let (v00, v10) = (values[at], values[at + 1])
      let (v01, v11) = (values[at + size.width], values[at + size.width + 1])
      let (top, bottom) = (v00 + (v10 - v00) * fx, v01 + (v11 - v01) * fx)
      let slope = SIMD2(
        ((v10 - v00) * (1 - fy) + (v11 - v01) * fy) * Double(size.width),
        (bottom - top) * Double(size.height))
      return (top + (bottom - top) * fy, slope)
    }
  }
}
