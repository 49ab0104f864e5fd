import CVector
import ImageCore

/// How far a sharpened pixel may exceed its surroundings: this prevents halos at edges and yet lets
/// points and lines grow.
///
/// Source: own. With y the input, m and n its largest and smallest value in 5 × 5 pixels, and f = y
/// − σ²/2 · ∇²y, the first term of the inverse of a Gaussian blur:
///
///     n' = min(n, max(f, 0.85 n))
///     m' = max(m, m + k · (f − m)),   k = clamp((1 − m) / 0.3, 0, 1)
///
/// At a blurred edge f leaves the range by 3.5 % of its height, at a blurred line by half its
/// height, at a point by all of it. Towards reference white the upper allowance fades, so from
/// there on nothing exceeds its surroundings; shadows beside an edge never lose more than 15 %.
/// Linear luminance, ≥ floor. Known failure: points brighter than reference white are no sharper
/// than their surroundings allow.
enum SharpeningLimits {
  /// Pixels that are read around a cell.
  static let reach = 2
  static let fadeWidth: Float = 0.3
  /// Fraction of the local minimum that shadows keep.
  static let minFraction: Float = 0.85

  /// Clamps the luminance of `cell` in `sharp` by that in `luminance`. Three `scratch` planes.
  static func apply(
    _ sharp: TilePlane, _ cell: PixelRect, luminance: TilePlane, sigma: Float, floor: Float,
    _ scratch: [TilePlane]
  ) {
    let (input, highest, lowest) = (scratch[0], scratch[1], scratch[2])
    let around = cell.expanded(by: reach)
    for plane in [input, highest, lowest] { plane.reshape(around) }
    for y in around.y..<around.endY {
      let from = luminance.row(y).from(around.x - luminance.rect.x)
      let out = input.row(y)
      for i in vectors(-8..<around.width + 8) {
        out.setLanes(i, cv_max8(from.lanes(i), SIMD8(repeating: floor)))
      }
    }
    for y in around.y..<around.endY {
      let (from, top, bottom) = (input.row(y).from(reach), highest.row(y), lowest.row(y))
      for i in vectors(cell.width) {
        var (high, low) = (from.lanes(i), from.lanes(i))
        for k in 1...reach {
          let (left, right) = (from.lanes(i &- k), from.lanes(i &+ k))
          high = cv_max8(high, cv_max8(left, right))
          low = cv_min8(low, cv_min8(left, right))
        }
        top.setLanes(i, high)
        bottom.setLanes(i, low)
      }
    }
    let step = input.stride
    for y in cell.y..<cell.endY {
      let (center, top, bottom) = (input.row(y).from(reach), highest.row(y), lowest.row(y))
      let out = sharp.row(y).from(cell.x - sharp.rect.x)
      for i in vectors(cell.width) {
        var (high, low) = (top.lanes(i), bottom.lanes(i))
        for k in 1...reach {
          let down = k &* step
          high = cv_max8(high, cv_max8(top.lanes(i &- down), top.lanes(i &+ down)))
          low = cv_min8(low, cv_min8(bottom.lanes(i &- down), bottom.lanes(i &+ down)))
        }
        let value = center.lanes(i)
        let sides = center.lanes(i &- 1) + center.lanes(i &+ 1)
        let ends = center.lanes(i &- step) + center.lanes(i &+ step)
        let first = value - (sides + ends - value * 4) * (sigma * sigma / 2)
        let fade = cv_clamp8((1 - high) / fadeWidth, .zero, SIMD8(repeating: 1))
        let above = high + cv_max8(first - high, .zero) * fade
        let below = cv_min8(low, cv_max8(first, low * minFraction))
        out.setLanes(i, cv_clamp8(out.lanes(i), below, above))
      }
    }
  }
}
