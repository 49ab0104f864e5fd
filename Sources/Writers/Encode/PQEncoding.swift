// Perceptual quantizer, display-linear values to signal, fast form.
// Source: SMPTE ST 2084:2014 / ITU-R BT.2100-2; the curve is the reference `PQ.signal`.
// Form: a rational function of degree 5/5 in x = (L / 10,000 cd/m²)^(1/4), fitted with minimal
// largest error; float error below 2e-6 of the signal, 0.002 of a 10-bit code.
// Domain: linear values, 1.0 = 203 cd/m²; negative values and NaN give 0, values above
// 10,000 cd/m² give 1.
// Why not the formula: two powers cost fifty times as much; a table is slower and less exact.

import CVector
import ImageCore

/// Rows of linear values to rows of PQ signal.
enum PQEncoding {
  private static let scale = Float(ReferenceWhite.nits / PQ.peakNits)

  @inline(__always)
  private static func ma(_ a: SIMD8<Float>, _ x: SIMD8<Float>, _ c: Float) -> SIMD8<Float> {
    a * x + c
  }

  /// The signal (0…1) of eight linear values, 1.0 = 203 cd/m².
  @inline(__always)
  static func signal(_ light: SIMD8<Float>) -> SIMD8<Float> {
    let l = cv_clamp8(light * scale, SIMD8(repeating: 0), SIMD8(repeating: 1))
    let x = cv_sqrt8(cv_sqrt8(l))
    var p = ma(SIMD8(repeating: -8.673903957e+02), x, 1.875798140e+03)
    p = ma(p, x, 2.059971619e+03)
    p = ma(p, x, 4.214056740)
    p = ma(p, x, 1.071937839e-02)
    p = ma(p, x, -1.037134136e-06)
    var q = ma(SIMD8(repeating: -5.018225718e+02), x, 6.654739184e+02)
    q = ma(q, x, 2.148328902e+03)
    q = ma(q, x, 7.105839483e+02)
    q = ma(q, x, 4.903625385e+01)
    q = ma(q, x, 1)
    return cv_clamp8(p / q, SIMD8(repeating: 0), SIMD8(repeating: 1))
  }

  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    for x in vectors(rows.count) { rows.setLanes(x, rows.lanes(x).map(signal)) }
  }
}
