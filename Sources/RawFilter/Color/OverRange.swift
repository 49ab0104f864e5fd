import CVector
import ImageCore

/// The compressed values in which tables of HDR DNG profiles work (DNG 1.7.1 chapter 6):
/// f(x) = x (256 + x) / (256 (1 + x)) maps 0…16 to 0…1 and has slope 1 at 0; its inverse is
/// f⁻¹(y) = 16 (8y − 8 + √(64y² − 127y + 64)).
enum OverRange {
  /// f of values of zero and above.
  @inline(__always)
  static func compressed(_ x: SIMD8<Float>) -> SIMD8<Float> {
    x * (x * (1 / 256) + 1) / (x + 1)
  }

  /// f⁻¹ of values of zero and above. Below 1 the root and 8 − 8y cancel, so the quotient of the
  /// conjugate is taken: 16 y / (8 − 8y + √(64y² − 127y + 64)).
  @inline(__always)
  static func expanded(_ y: SIMD8<Float>) -> SIMD8<Float> {
    let lack = (1 - y) * 8
    let root = cv_sqrt8(lack * lack + y)
    let below = y * 16 / (root + lack)
    let above = (root - lack) * 16
    return select(lack .>= 0, below, above)
  }
}
