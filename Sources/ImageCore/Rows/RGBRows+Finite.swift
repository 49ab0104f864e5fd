extension RGBRows {
  /// Whether the first `width` pixels are neither infinite nor NaN.
  package func isFinite(_ width: Int) -> Bool {
    // Zero times a number is zero unless that is infinite or NaN.
    var zeros = SIMD8<Float>()
    let vectorEnd = width & ~7
    for x in vectors(vectorEnd) {
      let rgb = lanes(x)
      zeros += rgb.red * 0 + rgb.green * 0 + rgb.blue * 0
    }
    for x in vectorEnd..<width { zeros[0] += red[x] * 0 + green[x] * 0 + blue[x] * 0 }
    return zeros.sum() == 0
  }
}
