/// How the coefficients of the cosine transform of the kernels (CosineTransform.h) are scaled: `√8
/// · scale[k]` times the orthonormal coefficient k of eight samples.
///
/// The inverse takes coefficients at the same scale, so only thresholds and spectra depend on it.
enum CosineTransform {
  static let scale: [Float] = [
    1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379,
  ]

  /// Coefficient `i` of an 8 × 8 block, row by row, over the orthonormal one.
  static func blockScale(_ i: Int) -> Float { 8 * scale[i / 8] * scale[i % 8] }
}
