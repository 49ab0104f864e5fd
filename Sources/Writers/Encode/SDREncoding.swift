// The curve of sRGB and Display P3, linear values to signal, fast form.
// Source: IEC 61966-2-1:1999; the reference is `SRGB.signal`.
// Domain: linear values, 1.0 = reference white; clamped to 0…1, NaN is treated as 0.
// The power is a float series (see CVector.h); error below 1e-6 of the signal.

import CKernels
import ImageCore

/// Rows of linear values to rows of sRGB signal.
enum SDREncoding {
  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    var curve = ck_sdr(
      linearEnd: Float(SRGB.linearEnd), slope: Float(SRGB.slope), scale: Float(SRGB.scale),
      offset: Float(SRGB.offset), power: 1 / Float(SRGB.exponent))
    unsafe ck_sdrRow(&curve, rows.kernel, Int64(rows.count))
  }
}
