/// CIE 1931 xy chromaticity, 2° observer.
public struct Chromaticity: Sendable, Hashable, Codable {
  /// x, 0…1.
  public var x: Double
  /// y, 0…1.
  public var y: Double

  /// The chromaticity (`x`, `y`).
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The chromaticity of a color; D50 for black.
  public init(xyz: SIMD3<Double>) {
    let sum = xyz.sum()
    self = sum > 0 ? Chromaticity(x: xyz.x / sum, y: xyz.y / sum) : .d50
  }

  /// The color of this chromaticity with Y = 1.
  public var xyz: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

  /// D50 as the DNG specification rounds it.
  public static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
  /// The white of ACES (SMPTE ST 2065-1), near D60.
  public static let aces = Chromaticity(x: 0.32168, y: 0.33767)
  /// D65 as BT.2020, BT.709 and Display P3 define it.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
}
