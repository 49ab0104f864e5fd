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
    let power = cv_exp2_8(cv_log2_8(cv_max8(v, SIMD8(repeating: 0.0031308))) * (1 / 2.4))
    return cv_select8(0.0031308 - v, 12.92 * v, 1.055 * power - 0.055)
  }

  /// Replaces the light in three rows by its signal.
  static func encode(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    var x = 0
    while x < count {
      Lanes.store(r, x, signal(Lanes.load(r, x)))
      Lanes.store(g, x, signal(Lanes.load(g, x)))
      Lanes.store(b, x, signal(Lanes.load(b, x)))
      x &+= 8
    }
  }
}
