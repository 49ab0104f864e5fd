public import ImageCore

/// What the renderer's own tone curve does to contrast and color at full boost.
public struct ToneLook: Sendable, Hashable, Codable {
  /// Slope of the curve in the shadows, in stops a stop; 1 and more.
  public var contrast: Double
  /// Scene value around which that slope becomes 1, for the highlights.
  public var pivot: Double
  /// How late the shoulder bends below white, and how sharply: 1 (from gray on) and more.
  public var shoulder: Double
  /// How far the smallest channel moves from constant chromaticity, 0, towards its own value on the
  /// curve, 1, where that desaturates: highlights.
  public var bleaching: Float
  /// The same where it saturates: shadows and midtones.
  public var saturating: Float
  /// Maximum fraction of chroma that bright blue lamps lose, 0…1: blue alone is dark on a screen.
  public var paling: Float
  /// Linear BT.2020 to linear BT.2020 before the curve: the bends of hue and chroma. Rows add up to
  /// 1, so that gray stays gray. No channel falls by more than three quarters.
  public var mixing: Matrix3

  /// A look with every value given.
  public init(
    contrast: Double, pivot: Double, shoulder: Double, bleaching: Float, saturating: Float,
    paling: Float = 0, mixing: Matrix3 = .identity
  ) {
    (self.contrast, self.pivot, self.shoulder) = (contrast, pivot, shoulder)
    (self.bleaching, self.saturating) = (bleaching, saturating)
    (self.paling, self.mixing) = (paling, mixing)
  }

  /// As cameras' standard picture styles: deep blacks, bright highlights, deep reds, less violet
  /// blues. Fitted to the embedded previews of 12 raws of 5 cameras, three quarters of the way for
  /// the matrix (Docs/verification.md).
  public static let standard = ToneLook(
    contrast: 1.65, pivot: 0.18, shoulder: 2.6, bleaching: 0.25, saturating: 0.55,
    paling: 0.4, mixing: Matrix3([0.915, 0.035, 0.05, -0.105, 1.05, 0.055, -0.055, -0.04, 1.095]))
  /// Chromaticities as measured, and with them nearly their differences: contrast and shoulder
  /// cost a photographed chart 0.03 ΔE2000 (Docs/verification.md).
  public static let faithful = ToneLook(
    contrast: 1.1, pivot: 1, shoulder: 2, bleaching: 0.25, saturating: 0)

  /// ``mixing`` at a strength of `boost`, 0…1.
  func mixing(boost: Double) -> Matrix3 {
    boost < 1 ? mixing * boost + .identity * (1 - boost) : mixing
  }
}
