/// Ordered dither: thresholds added before truncation to code values, so that flat areas are right
/// on average.
///
/// Source: Bayer 1973, the 8 × 8 matrix: thresholds (k + ½) / 64, each k once. A threshold depends
/// on the position only, so a pixel has the same code value in every rectangle.
enum OrderedDither {
  /// 0…1, for pixel `x`, `y`.
  static func threshold(_ x: Int, _ y: Int) -> Float {
    var value = 0
    let (across, mixed) = (x & 7, (x ^ y) & 7)
    for bit in 0..<3 {
      value = value << 2 | (mixed >> bit & 1) << 1 | (across >> bit & 1)
    }
    return (Float(value) + 0.5) / 64
  }
}
