// The curve of sRGB and Display P3, linear light to signal, fast form.
// Source: IEC 61966-2-1:1999; the reference is `SRGB.signal`.
// Domain: linear light, 1.0 = reference white; outside 0…1 is clamped, no-numbers count as 0.
// The power is a float series (see CVector.h); error below 1e-6 of the signal.

import CVector
import ImageCore

/// Rows of linear light to rows of sRGB signal.
enum SDREncoding {
  /// The signal (0…1) of eight values of light.
  @inline(__always)
  static func signal(_ light: SIMD8<Float>) -> SIMD8<Float> {
    let v = cv_clamp8(light, SIMD8(repeating: 0), SIMD8(repeating: 1))
    let end = SIMD8(repeating: Float(SRGB.linearEnd))
    let power = cv_exp2_8(cv_log2_8(cv_max8(v, end)) * (1 / Float(SRGB.exponent)))
    return select(v .<= end, Float(SRGB.slope) * v, Float(SRGB.scale) * power - Float(SRGB.offset))
  }

  /// Replaces the light in three rows by its signal.
  static func encode(_ rows: RGBRows) {
    for x in vectors(rows.count) { rows.setLanes(x, rows.lanes(x).map(signal)) }
  }
}
