import CVector
public import ImageCore

/// Brings colours that a display's primaries cannot make into its gamut.
///
/// Linear RGB of the target primaries in and out. Each colour moves towards the grey of its own
/// luminance Y, in a straight line, so luminance stays and hue nearly so:
///
///     a = max(Y, 0.3 · max)            the grey it moves to; 0.3 keeps deep blues from going black
///     s = (a − min) / a                1 on the gamut's surface
///     s > t:  z = (s − t) / (1 − t),  s' = t + (1 − t) · z / (1 + z)
///     rgb' = a + (rgb − a) · s' / s
///
/// and then, where a channel is still above the headroom H, once more until it is at H. The rational
/// knee is C1, reaches the surface only for infinite s and so never lets two colours collapse.
/// Inside s ≤ t and max ≤ H every value returns bit for bit; t = 0.9.
/// Known failure: straight lines in linear light turn saturated blue slightly towards violet.
public struct GamutMapping: Sendable, Hashable {
  /// Saturation from which colours are compressed.
  static let knee: Float = 0.9

  private let weights: SIMD3<Float>
  private let headroom: Float

  /// Maps into `primaries`, largest value `headroom`.
  public init(primaries: Primaries, headroom: Float) {
    weights = SIMD3<Float>(primaries.luminance)
    self.headroom = headroom
  }

  /// Maps `count` pixels in place; rows may be read and written up to the next multiple of eight.
  package func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    let t = SIMD8<Float>(repeating: Self.knee)
    let top = SIMD8<Float>(repeating: headroom)
    let (wr, wg, wb) = (
      SIMD8<Float>(repeating: weights.x), SIMD8<Float>(repeating: weights.y),
      SIMD8<Float>(repeating: weights.z)
    )
    var i = 0
    while i < count {
      let (red, green, blue) = (cv_load8(r + i), cv_load8(g + i), cv_load8(b + i))
      let high = cv_max8(cv_max8(red, green), blue)
      let low = cv_min8(cv_min8(red, green), blue)
      if any((low .< high * (1 - Self.knee)) .| (high .> top)) {
        let y = red * wr + green * wg + blue * wb
        let a = cv_min8(cv_max8(cv_max8(y, high * 0.3), SIMD8(repeating: 1e-9)), top)
        let s = (a - low) / a
        let z = (s - t) / (1 - t)
        let compressed = t + (1 - t) * z / (1 + z)
        var k = SIMD8<Float>(repeating: 1).replacing(with: compressed / s, where: s .> t)
        let over = a + (high - a) * k
        let fit = cv_max8((top - a) / (high - a), .zero)
        k.replace(with: fit, where: (over .> top) .& (high .> a))
        let changed = k .!= 1
        // Light without any positive channel cannot be shown.
        let dark = high .<= 0
        cv_store8(r + i, map(red, a, k, top, changed, dark))
        cv_store8(g + i, map(green, a, k, top, changed, dark))
        cv_store8(b + i, map(blue, a, k, top, changed, dark))
      }
      i &+= 8
    }
  }

  @inline(__always)
  private func map(
    _ c: SIMD8<Float>, _ a: SIMD8<Float>, _ k: SIMD8<Float>, _ top: SIMD8<Float>,
    _ changed: SIMDMask<SIMD8<Int32>>, _ dark: SIMDMask<SIMD8<Int32>>
  ) -> SIMD8<Float> {
    let moved = cv_clamp8(a + (c - a) * k, .zero, top)
    return c.replacing(with: moved, where: changed).replacing(with: Float(0), where: dark)
  }
}
