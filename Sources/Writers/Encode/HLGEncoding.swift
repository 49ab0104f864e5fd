// Hybrid log-gamma, display-linear values to signal, fast form.
// Source: ITU-R BT.2100-2 table 5 for a display of 1000 cd/m²: inverse OOTF E = F · Y^(-1/6)
// (gamma 1.2, Y of BT.2020), then the OETF; the reference is `HLG.scene(display:)`, `HLG.signal`.
// Domain: linear BT.2020 display values, 1.0 = 203 cd/m². Negative values and NaN are treated as 0.
// Saturated colors near the peak need scene-linear values above 1, which have no signal (blue of
// 1000 cd/m² needs 1.6). Such a pixel is moved along the line to the gray of the same scene
// luminance until its largest channel is 1: hue and luminance stay, saturation drops.
// Powers and logarithms are float series (see CVector.h); error below 0.01 of a 10-bit code.

import CKernels
import ImageCore

/// Rows of display-linear BT.2020 to rows of HLG signal.
enum HLGEncoding {
  private static let scale = Float(ReferenceWhite.nits / HLG.peakNits)
  private static let luminance = SIMD3<Float>(Primaries.bt2020.luminance)
  // The natural logarithm by one of base 2.
  private static let aLn2 = Float(HLG.a * 0.6931471805599453)
  private static let b = Float(HLG.b)
  private static let c = Float(HLG.c)

  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    var hlg = ck_hlg(
      luminance: ck_threeValues(luminance), scale: scale, aLn2: aLn2, b: b, c: c)
    unsafe ck_hlgRow(&hlg, rows.kernel, Int64(rows.count))
  }
}
