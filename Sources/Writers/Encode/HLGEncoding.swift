// Hybrid log-gamma, display-linear values to signal, fast form.
// Source: ITU-R BT.2100-2 table 5 for a display of 1000 cd/m²: inverse OOTF E = F · Y^(-1/6)
// (gamma 1.2, Y of BT.2020), then the OETF; the reference is `HLG.scene(display:)`, `HLG.signal`.
// Domain: linear BT.2020 display light, 1.0 = 203 cd/m². Negative values and NaN are treated as 0.
// Saturated colors near the peak need scene-linear values above 1, which have no signal (blue of
// 1000 cd/m² needs 1.6). Such a pixel is moved along the line to the gray of the same scene
// luminance until its largest channel is 1: hue and luminance stay, saturation drops.
// Powers and logarithms are float series (see CVector.h); error below 0.01 of a 10-bit code.

import CVector
import ImageCore

/// Rows of display-linear BT.2020 to rows of HLG signal.
enum HLGEncoding {
  private static let scale = Float(ReferenceWhite.nits / HLG.peakNits)
  private static let luminance = SIMD3<Float>(Primaries.bt2020.luminance)
  // The natural logarithm by one of base 2.
  private static let aLn2 = Float(HLG.a * 0.6931471805599453)
  private static let b = Float(HLG.b)
  private static let c = Float(HLG.c)

  /// The OETF of eight scene-linear values, 0…1.
  @inline(__always)
  private static func oetf(_ e: SIMD8<Float>) -> SIMD8<Float> {
    let root = cv_sqrt8(3 * e)
    let argument = cv_max8(12 * e - b, SIMD8(repeating: 0.5))
    let log = aLn2 * cv_log2_8(argument) + c
    return select(e .<= 1 / 12, root, log)
  }

  /// Replaces the linear values of three rows by their signal.
  static func encode(_ rows: RGBRows) {
    let zero = SIMD8<Float>(repeating: 0)
    let one = SIMD8<Float>(repeating: 1)
    let tiny = SIMD8<Float>(repeating: 1e-20)
    let (scale, luminance) = (scale, luminance)
    for x in vectors(rows.count) {
      let rgb = rows.lanes(x).map { cv_clamp8($0 * scale, zero, one) }
      let y = rgb.weighted(luminance)
      let factor = cv_exp2_8(cv_log2_8(cv_max8(y, tiny)) * (-1 / 6))
      let ys = cv_min8(y * factor, one)
      let top = rgb.highest * factor
      let keep = select(top .<= one, one, (one - ys) / cv_max8(top - ys, tiny))
      let toScene = factor * keep
      let gray = ys * (one - keep)
      rows.setLanes(x, rgb.map { oetf(cv_min8($0 * toScene + gray, one)) })
    }
  }
}
