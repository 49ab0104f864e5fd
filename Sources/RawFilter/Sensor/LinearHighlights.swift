import CVector

/// Saturated channels of pixels that were demosaiced before (linear DNG, ProRAW), from the others.
///
/// The idea of the mosaic's ``HighlightReconstruction``, a pixel at a time: balanced light in which one
/// channel ended early is tinted by that channel's lack (magenta where green ended), so it takes at
/// least the mean of the channels that go on. With u the share to which a channel is unsaturated,
/// falling from 1 to 0 between `start` and 1 of its saturation, and ε = 0.001:
///
///     ref = ((u₁√a + u₂√b + ε√ceiling) / (u₁ + u₂ + ε))²      the other channels a, b
///     c'  = c + (1 − u)·max(min(ref, ceiling) − c, 0)
///
/// so pixels all of whose channels are saturated end at the neutral `ceiling`. Means are taken of
/// square roots, nearer to how light is seen. Pixels below `start` return bit for bit; continuous.
/// Units: balanced light. Known failure: a saturated light of strong colour loses some of it.
struct LinearHighlights: Sendable {
  /// Share of its saturation from which a channel counts as ending.
  private static let start: Float = 0.97
  private static let trace: Float = 0.001

  let clip: SIMD4<Float>
  /// Balanced value of a neutral all of whose channels are saturated.
  let ceiling: Float

  /// Treats `count` pixels in place; rows may be read and written up to the next multiple of eight.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (x, y, z) = (clip.x * Self.start, clip.y * Self.start, clip.z * Self.start)
    var i = 0
    while i < count {
      let (red, green, blue) = (cv_load8(r + i), cv_load8(g + i), cv_load8(b + i))
      if cv_anyPositive8(cv_max8(cv_max8(red - x, green - y), blue - z)) {
        let free = (unsaturated(red, clip.x), unsaturated(green, clip.y), unsaturated(blue, clip.z))
        let root = (
          cv_sqrt8(cv_max8(red, .zero)), cv_sqrt8(cv_max8(green, .zero)),
          cv_sqrt8(cv_max8(blue, .zero))
        )
        let parts = (free.0 * root.0, free.1 * root.1, free.2 * root.2)
        cv_store8(r + i, raised(red, free.0, parts.1 + parts.2, free.1 + free.2))
        cv_store8(g + i, raised(green, free.1, parts.0 + parts.2, free.0 + free.2))
        cv_store8(b + i, raised(blue, free.2, parts.0 + parts.1, free.0 + free.1))
      }
      i &+= 8
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
    let reference = cv_positive8(weight, cv_min8(mean * mean, top), top)
    return cv_positive8(free + weight, value + (1 - free) * cv_max8(reference - value, .zero), top)
  }
}
