/// The linear spaces in which DNG profiles work, relative to XYZ under D50 as the DNG specification
/// rounds it.
///
/// The DNG reference renderer keeps its RGB spaces as matrices to XYZ D50 of four decimals, rows
/// scaled so that white is D50 exactly. Its published values are met only with the same rounding:
/// up to 8e-5 of a color's largest channel, which is 0.3 % of a channel near zero. So the
/// output of camera profiles is rounded alike; everywhere else primaries are exact.
public enum ProPhoto {
  /// Linear ProPhoto RGB (ROMM/RIMM, ISO 22028-2) to XYZ under D50.
  public static let toXYZ = rounded(
    Matrix3(
      SIMD3(0.7976749, 0.1351917, 0.0313534), SIMD3(0.2880402, 0.7118741, 0.0000857),
      SIMD3(0, 0, 0.8252100)))
  /// XYZ under D50 to linear ProPhoto RGB.
  public static let fromXYZ: Matrix3 = toXYZ.inverse ?? .identity

  /// XYZ under D50 to linear BT.2020, adapted to D65.
  public static let bt2020FromXYZ: Matrix3 =
    rounded(ChromaticAdaptation.bradford(from: .d65, to: .d50) * Primaries.bt2020.toXYZ).inverse
    ?? .identity

  /// Linear ProPhoto RGB to linear BT.2020.
  public static let toBT2020: Matrix3 = bt2020FromXYZ * toXYZ
  /// Linear BT.2020 to linear ProPhoto RGB.
  public static let fromBT2020: Matrix3 = toBT2020.inverse ?? .identity

  private static func rounded(_ m: Matrix3) -> Matrix3 {
    func four(_ row: SIMD3<Double>) -> SIMD3<Double> {
      (row * 10_000).rounded(.toNearestOrAwayFromZero) / 10_000
    }
    let rows = Matrix3(four(m.rows[0]), four(m.rows[1]), four(m.rows[2]))
    return Matrix3(diagonal: Chromaticity.d50.xyz / (rows * SIMD3(1, 1, 1))) * rows
  }
}
