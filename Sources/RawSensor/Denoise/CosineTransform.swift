/// How the coefficients of the cosine transform of the kernels (CosineTransform.h) are scaled:
/// `√8 · scale[k]` times the orthonormal coefficient k of eight samples.
///
/// They may go straight from the transform to its inverse, so only thresholds and spectra have to
/// know it.
enum CosineTransform {
  static let scale: [Float] = [
    1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379,
  ]

  /// Coefficient `i` of an 8 × 8 block, row by row, over the orthonormal one.
  static func blockScale(_ i: Int) -> Float { 8 * scale[i / 8] * scale[i % 8] }
}
