// Perceptual quantizer, display-linear values to signal, fast form.
// Source: SMPTE ST 2084:2014 / ITU-R BT.2100-2; the curve is the reference `PQ.signal`.
// Form: a rational function of degree 5/5 in x = (L / 10,000 cd/m²)^(1/4), fitted with minimal
// largest error; float error below 2e-6 of the signal, 0.002 of a 10-bit code.
// Domain: linear values, 1.0 = 203 cd/m²; negative values and NaN give 0, values above
// 10,000 cd/m² give 1.
// Why not the formula: two powers cost fifty times as much; a table is slower and less exact.

import CKernels
import ImageCore

/// Rows of linear values to rows of PQ signal.
enum PQEncoding {
  private static let scale = Float(ReferenceWhite.nits / PQ.peakNits)

  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    ck_pqRow(scale, rows.kernel, Int64(rows.count))
  }
}
