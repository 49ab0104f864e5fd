/// Luma and two color differences, an orthonormal rotation of red, green and blue: gray has no
/// color, and noise that is equal and independent in the channels has the same variance in each
/// plane.
/// Formula: Y = (R + G + B)/√3, U = (R − B)/√2, V = (R − 2G + B)/√6.
enum NoiseColors {
  @inline(__always)
  static func forward(
    _ r: SIMD8<Float>, _ g: SIMD8<Float>, _ b: SIMD8<Float>
  ) -> (y: SIMD8<Float>, u: SIMD8<Float>, v: SIMD8<Float>) {
    let sum = r + b
    return (
      (sum + g) * 0.577350269, (r - b) * 0.707106781, (sum - (g + g)) * 0.408248290
    )
  }

  @inline(__always)
  static func inverse(
    _ y: SIMD8<Float>, _ u: SIMD8<Float>, _ v: SIMD8<Float>
  ) -> (r: SIMD8<Float>, g: SIMD8<Float>, b: SIMD8<Float>) {
    let gray = y * 0.577350269
    let purple = gray + v * 0.408248290
    let side = u * 0.707106781
    return (purple + side, gray - v * 0.816496581, purple - side)
  }

  static func forward(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    let sum = rgb.x + rgb.z
    return SIMD3(
      (sum + rgb.y) * 0.577350269, (rgb.x - rgb.z) * 0.707106781,
      (sum - 2 * rgb.y) * 0.408248290)
  }
}
