import ImageCore

/// Camera Raw's parametric curve: raises and lowers four regions of tones.
///
/// Its formula is not published. Here, over signals 0…1 with the splits s, m, h (0.25, 0.5, 0.75
/// unless they were moved) and B(a, p, b) a bump that rises from a to 1 at p and falls to b, each
/// as a smooth step:
///
///     y = x + 0.07 · shadows · B(0, 0.7 s, m)      + 0.14 · darks  · B(0, (s + m) / 2, h)
///           + 0.14 · lights  · B(s, (m + h) / 2, 1) + 0.07 · highlights · B(m, 0.3 + 0.7 h, 1)
///
/// with amounts of −1…1. Black and white stay. Where opposite extremes would make it decrease, it
/// is held level.
struct AdobeParametricCurve: Sendable, Hashable {
  /// Amounts of shadows, darks, lights and highlights.
  var amounts: SIMD4<Double>
  /// Where the regions meet, rising.
  var splits = SIMD3(0.25, 0.5, 0.75)

  /// Its values at 0, 1/16 … 1.
  var points: [SIMD2<Double>] {
    var last = 0.0
    return (0...16).map { index in
      let x = Double(index) / 16
      last = index == 16 ? 1 : max(min(value(x), 1), last)
      return SIMD2(x, last)
    }
  }

  private func value(_ x: Double) -> Double {
    let (s, m, h) = (splits.x, splits.y, splits.z)
    return x
      + 0.07 * (amounts.x * bump(x, 0, 0.7 * s, m) + amounts.w * bump(x, m, 0.3 + 0.7 * h, 1))
      + 0.14 * (amounts.y * bump(x, 0, (s + m) / 2, h) + amounts.z * bump(x, s, (m + h) / 2, 1))
  }

  private func bump(_ x: Double, _ low: Double, _ peak: Double, _ high: Double) -> Double {
    smoothstep(x < peak ? (x - low) / (peak - low) : (high - x) / (high - peak))
  }
}
