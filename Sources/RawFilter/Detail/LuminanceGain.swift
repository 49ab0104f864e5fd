import CKernels
import ImageCore

/// Luminance of scene-linear pixels, and its change at constant chromaticity.
///
/// Y = 0.2627 R + 0.6780 G + 0.0593 B (BT.2020). The three channels of a pixel are multiplied by
/// one factor, so hue and chromaticity are preserved, negative channels included, and a factor of 1
/// is bit-exact. No factor above 1 raises a channel above the picture's peak.
enum LuminanceGain {
  static let weights = SIMD3<Float>(Primaries.bt2020.luminance)
  /// The weights, for the kernels.
  static let channels = ck_threeValues(weights)

  /// Luminance of the pixels; NaN becomes 0.
  static func luminance(_ rows: RGBRows, into out: MutableRowView) {
    ck_luminanceRow(channels, rows.kernel, out.start, Int64(rows.count))
  }

  /// Largest channel of the pixels; NaN becomes 0.
  static func brightest(_ rows: RGBRows, into out: MutableRowView) {
    ck_brightestRow(rows.kernel, out.start, Int64(rows.count))
  }
}
