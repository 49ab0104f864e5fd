import CVector
import ImageCore

/// Reconstructs saturated channels of pixels that were demosaiced before (linear DNG, ProRAW) from
/// the others.
///
/// The idea of the mosaic's ``HighlightReconstruction``, pixel by pixel: where one channel
/// saturates first the pixel is tinted by its loss (magenta for green), so it is raised at least to
/// the mean of the channels that are not saturated. With u the weight of a channel, falling from 1
/// to 0 between `start` and 1 of its saturation, and ε = 0.001:
///
///     ref = ((u₁√a + u₂√b + ε√ceiling) / (u₁ + u₂ + ε))²      the other channels a, b
///     c'  = c + (1 − u)·max(min(ref, ceiling) − c, 0)
///
/// so pixels all of whose channels are saturated become the neutral `ceiling`. Means are taken of
/// square roots, which are perceptually more uniform. Pixels below `start` return bit for bit;
/// continuous. Units: balanced linear values. Known failure: a saturated light source of strong
/// color loses some of it.
struct LinearHighlights: Sendable {
  /// Fraction of its saturation from which a channel is treated.
  private static let start: Float = 0.97
  /// ε.
  private static let trace: Float = 0.001

  let clip: SIMD4<Float>
  /// Balanced value of a neutral all of whose channels are saturated.
  let ceiling: Float

  /// Changes `rows` in place.
  func apply(_ rows: RGBRows) {
    let (x, y, z) = (clip.x * Self.start, clip.y * Self.start, clip.z * Self.start)
    for i in vectors(rows.count) {
      let rgb = rows.lanes(i)
      let (red, green, blue) = (rgb.red, rgb.green, rgb.blue)
      if cv_anyPositive8(cv_max8(cv_max8(red - x, green - y), blue - z)) {
        let free = (unsaturated(red, clip.x), unsaturated(green, clip.y), unsaturated(blue, clip.z))
        let root = (
          cv_sqrt8(cv_max8(red, .zero)), cv_sqrt8(cv_max8(green, .zero)),
          cv_sqrt8(cv_max8(blue, .zero))
        )
        let parts = (free.0 * root.0, free.1 * root.1, free.2 * root.2)
        rows.setLanes(
          i,
          RGBLanes(
            raised(red, free.0, parts.1 + parts.2, free.1 + free.2),
            raised(green, free.1, parts.0 + parts.2, free.0 + free.2),
            raised(blue, free.2, parts.0 + parts.1, free.0 + free.1)))
      }
    }
  }

  @inline(__always)
  private func unsaturated(_ value: SIMD8<Float>, _ clip: Float) -> SIMD8<Float> {
    cv_clamp8(
      (clip - value) * (1 / (clip * (1 - Self.start))), .zero, SIMD8<Float>(repeating: 1))
  }

  @inline(__always)
  private func raised(
    _ value: SIMD8<Float>, _ free: SIMD8<Float>, _ roots: SIMD8<Float>, _ weight: SIMD8<Float>
  ) -> SIMD8<Float> {
    let mean = (roots + Self.trace * ceiling.squareRoot()) / (weight + Self.trace)
    let top = SIMD8<Float>(repeating: ceiling)
    let reference = select(weight .> 0, cv_min8(mean * mean, top), top)
    return select(free + weight .> 0, value + (1 - free) * cv_max8(reference - value, .zero), top)
  }
}
