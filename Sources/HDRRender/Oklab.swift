import Foundation
package import ImageCore

/// Oklab over linear BT.2020: a perceptually uniform space in which lightness, chroma and hue can
/// be changed independently.
///
/// Source: B. Ottosson, "A perceptual color space for image processing" (2020):
///
///     lms = M₁ · XYZ,    Lab = M₂ · ∛lms
///
/// M₁ is scaled by rows so that D65 white has lms (1, 1, 1), and the rows of a and b in M₂ sum to
/// 0, so grays stay gray. The cube root is odd: colors outside the gamut keep their signs. Linear
/// values in and out, unbounded.
///
/// Why this space: it is homogeneous. k times a color has ∛k times its Lab, so hue and saturation,
/// chroma / L, do not depend on exposure, above reference white as below; ICtCp and others that
/// encode absolute luminance bend both with it. Known failure: very saturated blue, outside what it
/// was fitted to, shifts towards purple when it is desaturated.
package enum Oklab {
  /// Linear BT.2020 to lms.
  package static let toLMS: Matrix3 = {
    let fitted = Matrix3(
      SIMD3(0.8189330101, 0.3618667424, -0.1288597137),
      SIMD3(0.0329845436, 0.9293118715, 0.0361456387),
      SIMD3(0.0482003018, 0.2643662691, 0.6338517070))
    let direct = fitted * Primaries.bt2020.toXYZ
    let white = direct * SIMD3(1, 1, 1)
    return Matrix3(diagonal: SIMD3(1, 1, 1) / white) * direct
  }()

  /// Lms to linear BT.2020.
  package static let fromLMS = toLMS.inverse ?? .identity

  /// Cube roots of lms to Lab.
  package static let toLab = Matrix3(
    SIMD3(0.2104542553, 0.7936177850, -0.0040720403),
    SIMD3(1.9779984951, -2.4285922050, 0.4505937099),
    SIMD3(0.0259040371, 0.7827717662, -0.8086758033))

  /// Lab to cube roots of lms.
  package static let fromLab = toLab.inverse ?? .identity

  /// Lab of a linear BT.2020 color.
  package static func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let lms = toLMS * rgb
    return toLab * SIMD3(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z))
  }

  /// The linear BT.2020 color of Lab.
  package static func rgb(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let root = fromLab * lab
    return fromLMS * (root * root * root)
  }

  /// The hue, in degrees 0…360, of the purest sRGB color at `angle` degrees of the color wheel of
  /// HSV, by which photographers name hues: 0 red, 60 yellow, 120 green, 180 aqua, 240 blue.
  package static func hue(wheel angle: Double) -> Double {
    func channel(_ n: Double) -> Double {
      let k = (n + angle / 60).truncatingRemainder(dividingBy: 6)
      return SRGB.linear(signal: 1 - max(0, min(k, 4 - k, 1)))
    }
    let color = SIMD3(channel(5), channel(3), channel(1))
    let lab = lab(Primaries.srgb.conversion(to: .bt2020) * color)
    let degrees = atan2(lab.z, lab.y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}
