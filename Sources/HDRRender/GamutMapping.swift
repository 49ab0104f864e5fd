import CKernels
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
    var gamut = ck_gamut(weights: ck_threeValues(weights), knee: Self.knee, headroom: headroom)
    ck_gamutRow(&gamut, rows.kernel, Int64(rows.count))
  }
}
