import CKernels
import ImageCore

/// Luminance in stops above reference white: log2(max(Y, floor)), floor 2⁻¹².
///
/// Twelve stops below white is darker than any display shows; black and negative values are clamped
/// to it, so the logarithm is finite. Unbounded above.
enum LogLuminance {
  static let floor: Float = 1.0 / 4096

  /// Replaces `count` luminances by their logarithms.
  static func replace(_ row: MutableRowView, count: Int) {
    ck_stopsRow(row.start, floor, Int64(count))
  }
}
