public import ImageCore

/// The settings of ``HDRRenderer``.
public struct RenderSettings: Sendable, Hashable, Codable {
  /// Fraction of the scene's headroom, in stops, that is used: 0 none (values stay ≤ 1) … 1 all.
  /// Clamped.
  public var extendedDynamicRangeAmount: Float
  /// Strength of the global tone curve: 0 linear and unclipped … 1. Clamped.
  public var boostAmount: Float
  /// Shadow part of the curve: 0 dark … 1 neutral … 2 bright. Clamped; no effect at boost 0.
  public var boostShadowAmount: Float
  /// What the curve does to contrast and color; no effect at boost 0 and with a profile's curve.
  public var toneLook: ToneLook
  /// Whether colors outside `primaries` are gamut-mapped. At boost 0 the picture is
  /// scene-linear and keeps them in any case.
  public var isGamutMappingEnabled: Bool
  /// Primaries of the output.
  public var primaries: Primaries

  /// Settings with every value given or at its default.
  public init(
    extendedDynamicRangeAmount: Float = 0, boostAmount: Float = 1, boostShadowAmount: Float = 1,
    toneLook: ToneLook = .standard, isGamutMappingEnabled: Bool = true,
    primaries: Primaries = .bt2020
  ) {
    self.extendedDynamicRangeAmount = extendedDynamicRangeAmount
    self.boostAmount = boostAmount
    self.boostShadowAmount = boostShadowAmount
    self.toneLook = toneLook
    self.isGamutMappingEnabled = isGamutMappingEnabled
    self.primaries = primaries
  }
}
