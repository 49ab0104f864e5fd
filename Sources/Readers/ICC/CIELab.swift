import ImageCore

/// CIE 1976 L*a*b* under D50, as in profiles and pictures: to linear BT.2020 (ISO/CIE 11664-4,
/// adapted to D65 by Bradford's matrix).
enum CIELab {
  /// Its white, as profiles round it.
  static let white = SIMD3(0.9642, 1.0, 0.8249)

  /// From XYZ under ``white`` to D65.
  static let toD65 = ChromaticAdaptation.bradford(from: Chromaticity(xyz: white), to: .d65)
  /// From XYZ under ``white`` to linear BT.2020.
  static let toBT2020 = Primaries.bt2020.fromXYZ * toD65

  /// XYZ of L*, a* and b*, whose white has Y = 1.
  static func xyz(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let y = (lab.x + 16) / 116
    func light(_ f: Double) -> Double {
      f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841
    }
    return white * SIMD3(light(y + lab.y / 500), light(y), light(y - lab.z / 200))
  }
}
