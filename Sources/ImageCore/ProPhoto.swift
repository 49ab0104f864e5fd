/// The linear space in which DNG profiles work: ProPhoto RGB (ROMM/RIMM, ISO 22028-2) primaries,
/// white D50 as the DNG specification rounds it.
public enum ProPhoto {
  /// Linear RGB to XYZ under D50; (1, 1, 1) is D50 exactly.
  public static let toXYZ: Matrix3 = {
    let rows = Matrix3(
      SIMD3(0.7976749, 0.1351917, 0.0313534), SIMD3(0.2880402, 0.7118741, 0.0000857),
      SIMD3(0, 0, 0.8252100))
    return Matrix3(diagonal: Chromaticity.d50.xyz / (rows * SIMD3(1, 1, 1))) * rows
  }()
  /// XYZ under D50 to linear RGB.
  public static let fromXYZ: Matrix3 = toXYZ.inverse ?? .identity

  /// Linear ProPhoto RGB to linear BT.2020, D50 adapted to D65.
  public static let toBT2020: Matrix3 =
    Primaries.bt2020.fromXYZ * ChromaticAdaptation.bradford(from: .d50, to: .d65) * toXYZ
  /// Linear BT.2020 to linear ProPhoto RGB.
  public static let fromBT2020: Matrix3 = toBT2020.inverse ?? .identity
}
