import CVector
import ImageCore

/// Where ``MoireReduction`` finds false color: 0 nowhere … 1 surely. Edges, along which a demosaic
/// may alternate too, are told apart by their slope.
enum MoireMask {
  /// Pixels that are read around each.
  static let reach = 4
  private static let radius = 2
  /// Mean second differences of pure noise, in its deviations, are about 1.5 after a demosaic.
  private static let noise: Float = 2

  /// Fills plane 0 of `mask` over `rect`; planes 1 and 2 are used on the way.
  static func fill(_ mask: NoiseLayer, from picture: NoiseLayer, over rect: PixelRect) {
    let wide = rect.expanded(by: radius)
    mask.place(wide)
    for y in wide.y..<wide.endY {
      let luma = (-2...2).map { picture.at(0, wide.x, y + $0) }
      let (u, v) = (
        (-2...2).map { picture.at(1, wide.x, y + $0) },
        (-2...2).map { picture.at(2, wide.x, y + $0) }
      )
      let (pattern, color) = (mask.at(1, wide.x, y), mask.at(2, wide.x, y))
      for x in vectors(wide.width) {
        let middle = luma[2].lanes(x) + luma[2].lanes(x)
        let fine =
          cv_abs8(luma[2].lanes(x - 1) + luma[2].lanes(x + 1) - middle)
          + cv_abs8(luma[1].lanes(x) + luma[3].lanes(x) - middle)
        let change =
          cv_abs8(luma[2].lanes(x - 2) - luma[2].lanes(x + 2))
          + cv_abs8(luma[0].lanes(x) - luma[4].lanes(x))
        pattern.setLanes(x, fine - change * 0.5)
        color.setLanes(x, cv_max8(bend(u, x), bend(v, x)))
      }
    }
    sum(mask, picture, rect)
  }

  /// Second difference over four pixels, in both directions.
  @inline(__always)
  private static func bend(_ rows: [MutableRowView], _ x: Int) -> SIMD8<Float> {
    let middle = rows[2].lanes(x) + rows[2].lanes(x)
    return cv_abs8(rows[2].lanes(x - 2) + rows[2].lanes(x + 2) - middle)
      + cv_abs8(rows[0].lanes(x) + rows[4].lanes(x) - middle)
  }

  /// Means over 5 × 5, and the share that they make.
  private static func sum(_ mask: NoiseLayer, _ picture: NoiseLayer, _ rect: PixelRect) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    for y in rect.y..<rect.endY {
      let patterns = (-radius...radius).map { mask.at(1, rect.x, y + $0) }
      let colors = (-radius...radius).map { mask.at(2, rect.x, y + $0) }
      let luma = (-reach...reach).map { picture.at(0, rect.x, y + $0) }
      let out = mask.at(0, rect.x, y)
      for x in vectors(rect.width) {
        var (left, right, top, bottom, color) = (zero, zero, zero, zero, zero)
        for row in 0...2 * radius {
          let values = patterns[row]
          let before = values.lanes(x &- 2) + values.lanes(x &- 1)
          let after = values.lanes(x &+ 1) + values.lanes(x &+ 2)
          left += before
          right += after
          if row < radius { top += before + values.lanes(x) + after }
          if row > radius { bottom += before + values.lanes(x) + after }
          for dx in -radius...radius { color += colors[row].lanes(x &+ dx) }
        }
        // A pattern fills both halves, what an edge smears only one.
        var pattern = cv_min8(cv_min8(left, right), cv_min8(top, bottom)) * 2.5
        pattern -= slope(luma, x) * 2
        let fine = cv_clamp8(pattern * (0.04 / noise) - 1, zero, one)
        let wavy = cv_clamp8(color * (0.04 / noise) - 2, zero, one)
        out.setLanes(x, fine * wavy)
      }
    }
  }

  /// Sum over 5 × 5 of the change over four pixels, its sign kept: large at edges, where a pattern
  /// cancels itself.
  @inline(__always)
  private static func slope(_ rows: [MutableRowView], _ x: Int) -> SIMD8<Float> {
    var (across, down) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for step in 1...reach {
      for i in -radius...radius {
        across += rows[reach &+ i].lanes(x &+ step) - rows[reach &+ i].lanes(x &- step)
        down += rows[reach &+ step].lanes(x &+ i) - rows[reach &- step].lanes(x &+ i)
      }
    }
    return cv_abs8(across) + cv_abs8(down)
  }
}
