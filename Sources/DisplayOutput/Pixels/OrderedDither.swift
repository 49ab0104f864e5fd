/// Ordered dither: what is added before codes are cut to whole numbers, so that flat areas come out
/// right in the mean.
///
/// Source: Bayer 1973, the 8 × 8 matrix: thresholds (k + ½) / 64, each k once. It depends on the
/// place only, so a pixel has the same code in every rectangle.
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
