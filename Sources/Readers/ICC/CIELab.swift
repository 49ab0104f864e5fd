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
    func linear(_ f: Double) -> Double {
      f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841
    }
    return white * SIMD3(linear(y + lab.y / 500), linear(y), linear(y - lab.z / 200))
  }
}

/// How a picture stores L*, a* and b*.
public struct LabCoding: Sendable, Hashable {
  /// L* of the highest code.
  let lightness: Float
  /// From the lowest code of a* and b*, -128, to the highest.
  let chroma: Float

  /// CIE L*a*b* of TIFF 6.0 (clause 23) in `bits` bits, 8 or 16: a* and b* in steps of 1/256 in 16
  /// bits. `isICC`: as in ICC profiles of version 2, where L* is in steps of 100/65280 (Adobe's
  /// technical notes on TIFF).
  init(bits: Int, isICC: Bool) {
    lightness = isICC && bits > 8 ? 100 * 65_535 / 65_280 : 100
    chroma = bits > 8 ? 65_535 / 256 : 255
  }

  /// Converts rows of codes of 0…1 to linear BT.2020 in place.
  func show(_ rows: RGBRows) {
    for i in 0..<rows.count {
      let lab = SIMD3(
        Double(rows.red[i] * lightness), Double(rows.green[i] * chroma - 128),
        Double(rows.blue[i] * chroma - 128))
      let linear = SIMD3<Float>(CIELab.toBT2020 * CIELab.xyz(lab))
      (rows.red[i], rows.green[i], rows.blue[i]) = (linear.x, linear.y, linear.z)
    }
  }
}
