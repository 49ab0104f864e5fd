import ImageCore

/// A color as CIE 1976 L*a*b* (CIE 15), under the white that its XYZ are relative to.
package struct LabColor: Sendable, Hashable, Codable {
  /// Lightness, 0…100.
  package var lightness: Double
  /// Green to red.
  package var a: Double
  /// Blue to yellow.
  package var b: Double

  /// The color of these coordinates.
  package init(_ lightness: Double, _ a: Double, _ b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// The color `xyz` beside a white of XYZ `white`.
  package init(_ xyz: SIMD3<Double>, white: SIMD3<Double> = Chromaticity.d50.xyz) {
    func f(_ t: Double) -> Double {
      t > 216.0 / 24389 ? t.cubeRoot : (t * 24389 / 27 + 16) / 116
    }
    let t = xyz / white
    let (x, y, z) = (f(t.x), f(t.y), f(t.z))
    self.init(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Its XYZ under a white of XYZ `white`.
  package func xyz(white: SIMD3<Double> = Chromaticity.d50.xyz) -> SIMD3<Double> {
    func inverse(_ f: Double) -> Double {
      f > 6.0 / 29 ? f * f * f : (116 * f - 16) * 27 / 24389
    }
    let y = (lightness + 16) / 116
    return SIMD3(inverse(y + a / 500), inverse(y), inverse(y - b / 200)) * white
  }
}

/// The difference of two colors by CIEDE2000 (CIE 142-2001; Sharma, Wu & Dalal, "The CIEDE2000
/// color-difference formula: implementation notes, supplementary test data, and mathematical
/// observations", Color Res. Appl. 30, 2005), with all parametric factors 1.
///
/// The quadratic form x² + y² + z² + R·y·z of lightness, chroma and hue is stored as three numbers
/// whose squares have that sum, (x, y + R·z / 2, z·√(1 − R² / 4)): they are smooth where both
/// colors are equal, so that a fit can minimize them. Known failure: the formula jumps where hues
/// are opposite; a fit starts nearer than that.
package struct ColorDifference: Sendable, Hashable {
  /// Numbers whose squares add up to the square of ``value``.
  package let parts: SIMD3<Double>

  /// ΔE00.
  package var value: Double { (parts * parts).sum().squareRoot() }

  /// The difference of `other` from `reference`.
  package init(_ reference: LabColor, _ other: LabColor) {
    let chroma = (reference.chroma + other.chroma) / 2
    let seventh = chroma.seventhPower
    let g = 0.5 * (1 - (seventh / (seventh + 25.0.seventhPower)).squareRoot())
    let (a1, a2) = (reference.a * (1 + g), other.a * (1 + g))
    let c1 = (a1 * a1 + reference.b * reference.b).squareRoot()
    let c2 = (a2 * a2 + other.b * other.b).squareRoot()
    let (h1, h2) = (degrees(reference.b, a1), degrees(other.b, a2))
    let hasHue = c1 * c2 != 0
    var turn = hasHue ? h2 - h1 : 0
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let hueStep = 2 * (c1 * c2).squareRoot() * sine(turn / 2)

    let lightness = (reference.lightness + other.lightness) / 2
    let mean = (c1 + c2) / 2
    var hue = h1 + h2
    if hasHue {
      hue = abs(h1 - h2) <= 180 ? hue / 2 : (hue < 360 ? (hue + 360) / 2 : (hue - 360) / 2)
    }
    let t =
      1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
      - 0.2 * cosine(4 * hue - 63)
    let bend = (hue - 275) / 25
    let rotation =
      -2 * (mean.seventhPower / (mean.seventhPower + 25.0.seventhPower)).squareRoot()
      * sine(60 * exponential(-bend * bend))
    let off = (lightness - 50) * (lightness - 50)
    let x =
      (other.lightness - reference.lightness) / (1 + 0.015 * off / (20 + off).squareRoot())
    let y = (c2 - c1) / (1 + 0.045 * mean)
    let z = hueStep / (1 + 0.015 * mean * t)
    parts = SIMD3(
      x, y + rotation * z / 2, z * max(1 - rotation * rotation / 4, 0).squareRoot())
  }
}

extension LabColor {
  fileprivate var chroma: Double { (a * a + b * b).squareRoot() }
}
