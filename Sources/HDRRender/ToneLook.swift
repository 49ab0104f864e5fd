/// What the renderer's own tone curve does to contrast and color at full boost.
public struct ToneLook: Sendable, Hashable, Codable {
  /// Slope of the curve at gray, in stops a stop; 1 and more.
  public var contrast: Double
  /// How far the smallest channel moves from constant chromaticity, 0, towards its own value on the
  /// curve, 1, where that desaturates: highlights.
  public var bleaching: Float
  /// The same where it saturates: shadows and midtones.
  public var saturating: Float

  /// A look with every value given.
  public init(contrast: Double, bleaching: Float, saturating: Float) {
    self.contrast = contrast
    self.bleaching = bleaching
    self.saturating = saturating
  }

  /// Contrast and saturation of camera renderings.
  public static let vivid = ToneLook(contrast: 1.35, bleaching: 0.25, saturating: 0.8)
  /// Chromaticities as measured, and with them nearly their differences: contrast and shoulder
  /// cost a photographed chart 0.03 ΔE2000 (Docs/verification.md).
  public static let natural = ToneLook(contrast: 1.1, bleaching: 0.25, saturating: 0)
}
