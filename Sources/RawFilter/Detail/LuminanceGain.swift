import CKernels
import CVector
import ImageCore

/// Luminance of scene-linear pixels, and its change at constant chromaticity.
///
/// Y = 0.2627 R + 0.6780 G + 0.0593 B (BT.2020). The three channels of a pixel are multiplied by
/// one factor, so hue and chromaticity stay, negative channels keep their sign and their ratio, and
/// a factor of 1 returns the bits. No factor above 1 raises a channel above the picture's peak.
enum LuminanceGain {
  static let weights = SIMD3<Float>(Primaries.bt2020.luminance)

  /// Luminance of the pixels; NaN becomes 0.
  static func luminance(_ rows: RGBRows, into out: MutableRowView) {
    ck_luminanceRow(
      ck_weights(red: weights.x, green: weights.y, blue: weights.z), rows.red.start,
      rows.green.start, rows.blue.start, out.start, Int64(rows.count))
  }

  /// Largest channel of the pixels; NaN becomes 0.
  static func brightest(_ rows: RGBRows, into out: MutableRowView) {
    ck_brightestRow(
      rows.red.start, rows.green.start, rows.blue.start, out.start, Int64(rows.count))
  }

  /// Multiplies eight pixels, at `i`, by `gain`, at most up to `peak`.
  @inline(__always)
  static func multiply(_ rows: RGBRows, _ i: Int, by gain: SIMD8<Float>, peak: Float) {
    let rgb = rows.lanes(i)
    let one = SIMD8<Float>(repeating: 1)
    let top = rgb.highest
    // Slightly below, so that rounding does not raise the product above the peak either.
    let limit = select(top .> 0, peak * 0.9999998 / select(top .> 0, top, one), gain)
    rows.setLanes(i, rgb * cv_min8(gain, cv_max8(limit, one)))
  }
}
