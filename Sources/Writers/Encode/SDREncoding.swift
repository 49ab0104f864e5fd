// The curve of sRGB and Display P3, linear values to signal, fast form.
// Source: IEC 61966-2-1:1999; the reference is `SRGB.signal`.
// Domain: linear values, 1.0 = reference white; clamped to 0…1, NaN is treated as 0.
// The power is a float series (see CVector.h); error below 1e-6 of the signal.

import CVector
import ImageCore

/// Rows of linear values to rows of sRGB signal.
enum SDREncoding {
  /// The signal (0…1) of eight linear values.
  @inline(__always)
  static func signal(_ light: SIMD8<Float>) -> SIMD8<Float> {
    let v = cv_clamp8(light, SIMD8(repeating: 0), SIMD8(repeating: 1))
    let end = SIMD8(repeating: Float(SRGB.linearEnd))
    let power = cv_exp2_8(cv_log2_8(cv_max8(v, end)) * (1 / Float(SRGB.exponent)))
    return select(v .<= end, Float(SRGB.slope) * v, Float(SRGB.scale) * power - Float(SRGB.offset))
  }

  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    for x in vectors(rows.count) { rows.setLanes(x, rows.lanes(x).map(signal)) }
  }
}
