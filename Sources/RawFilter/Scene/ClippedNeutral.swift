import ImageCore

/// Keeps fully saturated pixels neutral when the white balance is not that of the shot.
///
/// Highlights are reconstructed in camera values balanced for the as-shot white, where "everything
/// clipped" is three equal values at the ceiling. Under another white that gray would be tinted,
/// although nothing is known of its color. From 0.9 of the ceiling upwards (smallest channel) the
/// pixel is moved to the neutral of the chosen white, at equal green:
/// rgb' = rgb + w · (g · v / v_g − rgb), w = smoothstep(0.9, 1, min / ceiling).
/// It is left out for the as-shot white, so those pixels return bit for bit.
struct ClippedNeutral: Sendable {
  private let ceiling: Float
  private let neutral: SIMD3<Float>

  /// - Parameters:
  ///   - ceiling: the balanced value at which all channels are clipped.
  ///   - neutral: balanced camera values of the chosen white, any scale.
  init(ceiling: Float, neutral: SIMD3<Double>) {
    self.ceiling = ceiling
    self.neutral = SIMD3<Float>(neutral / neutral.y)
  }

  func apply(_ rows: RGBRows) {
    let (r, g, b) = (rows.red, rows.green, rows.blue)
    let start = ceiling * 0.9
    for i in 0..<rows.count {
      let low = min(r[i], g[i], b[i])
      guard low > start else { continue }
      let t = min((low - start) / (ceiling - start), 1)
      let w = t * t * (3 - 2 * t)
      let level = g[i]
      r[i] += w * (level * neutral.x - r[i])
      b[i] += w * (level * neutral.z - b[i])
    }
  }
}
