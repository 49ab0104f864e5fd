import CVector
public import ImageCore

/// Maps out-of-gamut colors into the gamut of a display's primaries.
///
/// Linear RGB of the target primaries in and out. Each color moves towards the gray of its own
/// luminance Y, in a straight line, so luminance is kept, and hue nearly so:
///
///     a = max(Y, 0.3 · max)            the gray it moves to; 0.3 keeps deep blues from going black
///     s = (a − min) / a                1 on the gamut's surface
///     s > t:  z = (s − t) / (1 − t),  s' = t + (1 − t) · z / (1 + z)
///     rgb' = a + (rgb − a) · s' / s
///
/// and then, where a channel is still above the headroom H, once more until it is at H. The
/// rational knee is C1, reaches the surface only for infinite s and so never lets two colors
/// collapse. Where s ≤ t and max ≤ H every value is returned bit for bit; t = 0.9. Known failure:
/// straight lines in linear light shift saturated blue slightly towards violet.
public struct GamutMapping: Sendable, Hashable {
  /// Saturation from which colors are compressed.
  static let knee: Float = 0.9

  private let weights: SIMD3<Float>
  private let headroom: Float

  /// Maps into `primaries`, largest value `headroom`.
  public init(primaries: Primaries, headroom: Float) {
    weights = SIMD3<Float>(primaries.luminance)
    self.headroom = headroom
  }

  /// Maps each pixel of `rows`.
  package func apply(_ rows: RGBRows) {
    let t = SIMD8<Float>(repeating: Self.knee)
    let top = SIMD8<Float>(repeating: headroom)
    let one = SIMD8<Float>(repeating: 1)
    for i in vectors(rows.count) {
      let rgb = rows.lanes(i)
      let (high, low) = (rgb.highest, rgb.lowest)
      if any((low .< high * (1 - Self.knee)) .| (high .> top)) {
        let y = rgb.weighted(weights)
        let a = cv_min8(cv_max8(cv_max8(y, high * 0.3), SIMD8(repeating: 1e-9)), top)
        let s = (a - low) / a
        let z = (s - t) / (1 - t)
        let compressed = t + (1 - t) * z / (1 + z)
        let kept = select(s .> t, compressed / s, one)
        let over = a + (high - a) * kept
        let fit = cv_max8((top - a) / (high - a), .zero)
        let k = select((over .> top) .& (high .> a), fit, kept)
        let changed = k .!= 1
        // A color without a positive channel cannot be shown.
        let dark = high .<= 0
        rows.setLanes(
          i,
          rgb.map { c in
            let moved = cv_clamp8(a + (c - a) * k, .zero, top)
            return select(dark, .zero, select(changed, moved, c))
          })
      }
    }
  }
}
