// Hybrid log-gamma, display light to signal, fast form.
// Source: ITU-R BT.2100-2 table 5 for a display of 1000 cd/m²: inverse OOTF E = F · Y^(-1/6)
// (gamma 1.2, Y of BT.2020), then the OETF; the reference is `HLG.scene(display:)`, `HLG.signal`.
// Domain: linear BT.2020 display light, 1.0 = 203 cd/m². Negative light and no-numbers count as 0.
// Strongly coloured light near the peak asks for scene light above 1, which has no signal (blue of
// 1000 cd/m² asks for 1.6). Such a pixel is moved along the line to the grey of the same scene
// luminance, just so far that its largest channel is 1: hue and luminance stay, colourfulness goes.
// Powers and logarithms are float series (see CVector.h); error below 0.01 of a 10-bit code.

import CVector
import ImageCore

/// Rows of linear BT.2020 display light to rows of HLG signal.
enum HLGEncoding {
  private static let scale = Float(ReferenceWhite.nits / HLG.peakNits)
  private static let luminance = SIMD3<Float>(Primaries.bt2020.luminance)
  // ITU-R BT.2100: a, b = 1 - 4a and c, the natural logarithm written as one of base 2.
  private static let aLn2 = Float(0.17883277 * 0.6931471805599453)
  private static let b = Float(0.28466892)
  private static let c = Float(0.55991073)

  /// The OETF of eight values of scene light, 0…1.
  @inline(__always)
  private static func oetf(_ e: SIMD8<Float>) -> SIMD8<Float> {
    let root = cv_sqrt8(3 * e)
    let argument = cv_max8(12 * e - b, SIMD8(repeating: 0.5))
    let log = aLn2 * cv_log2_8(argument) + c
    return cv_select8(1 / 12 - e, root, log)
  }

  /// Replaces the light in three rows by its signal.
  static func encode(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    let zero = SIMD8<Float>(repeating: 0)
    let one = SIMD8<Float>(repeating: 1)
    let tiny = SIMD8<Float>(repeating: 1e-20)
    var x = 0
    while x < count {
      let red = cv_clamp8(Lanes.load(r, x) * scale, zero, one)
      let green = cv_clamp8(Lanes.load(g, x) * scale, zero, one)
      let blue = cv_clamp8(Lanes.load(b, x) * scale, zero, one)
      let y = red * luminance.x + green * luminance.y + blue * luminance.z
      let factor = cv_exp2_8(cv_log2_8(cv_max8(y, tiny)) * (-1 / 6))
      let ys = cv_min8(y * factor, one)
      let top = cv_max8(cv_max8(red, green), blue) * factor
      let keep = cv_select8(one - top, one, (one - ys) / cv_max8(top - ys, tiny))
      let toScene = factor * keep
      let grey = ys * (one - keep)
      Lanes.store(r, x, oetf(cv_min8(red * toScene + grey, one)))
      Lanes.store(g, x, oetf(cv_min8(green * toScene + grey, one)))
      Lanes.store(b, x, oetf(cv_min8(blue * toScene + grey, one)))
      x &+= 8
    }
  }
}
