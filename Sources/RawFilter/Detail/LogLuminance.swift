import CVector
import ImageCore

/// Luminance in stops above reference white: log2(max(Y, floor)), floor 2⁻¹².
///
/// Twelve stops below white is darker than any display shows; black and negative values are treated
/// as that, so the logarithm is finite everywhere. Unbounded above.
enum LogLuminance {
  static let floor: Float = 1.0 / 4096

  @inline(__always)
  static func stops(_ luminance: SIMD8<Float>) -> SIMD8<Float> {
    cv_log2_8(cv_max8(luminance, SIMD8(repeating: floor)))
  }

  /// Replaces `count` luminances by their logarithms.
  static func replace(_ row: MutableRowView, count: Int) {
    for i in vectors(count) {
      row.setLanes(i, stops(row.lanes(i)))
    }
  }
}
