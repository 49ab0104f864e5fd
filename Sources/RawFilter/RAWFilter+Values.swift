import ImageCore

/// One property on one file.
public struct RAWAdjustment: Sendable, Hashable, Codable {
  /// CIRAWFilter's name.
  public let name: String
  /// Whether it has an effect on this file.
  public let isSupported: Bool
  /// Its number or, where it is a toggle, 1 for on and 0 for off; nil for those that are neither.
  public let value: Float?
}

extension RAWFilter {
  /// Every property in the order of ``RAWProperty/all`` with its value on this file. Decodes the
  /// picture, on which defaults depend; where that fails they read neutral values, and
  /// ``resolvedAdjustments()`` says why.
  public var adjustments: [RAWAdjustment] {
    let supported = Set(supportedAdjustments)
    return RAWProperty.all.map { property in
      RAWAdjustment(
        name: property.name, isSupported: supported.contains(property.name),
        value: value(of: property.name))
    }
  }

  /// The value of the number or toggle called `name`.
  private func value(of name: String) -> Float? {
    switch name {
    case "isDraftModeEnabled": isDraftModeEnabled ? 1 : 0
    case "isHighlightRecoveryEnabled": isHighlightRecoveryEnabled ? 1 : 0
    case "despeckleAmount": despeckleAmount
    case "luminanceNoiseReductionAmount": luminanceNoiseReductionAmount
    case "colorNoiseReductionAmount": colorNoiseReductionAmount
    case "moireReductionAmount": moireReductionAmount
    case "isLensCorrectionEnabled": isLensCorrectionEnabled ? 1 : 0
    case "scaleFactor": scaleFactor
    case "neutralTemperature": isWhiteBalanceSupported ? neutralTemperature : nil
    case "neutralTint": isWhiteBalanceSupported ? neutralTint : nil
    case "isAutomaticWhiteBalanceEnabled": isAutomaticWhiteBalanceEnabled ? 1 : 0
    case "baselineExposure": baselineExposure
    case "localToneMapAmount": localToneMapAmount
    case "exposure": exposure
    case "shadowBias": shadowBias
    case "sharpnessAmount": sharpnessAmount
    case "detailAmount": detailAmount
    case "contrastAmount": contrastAmount
    case "boostAmount": boostAmount
    case "boostShadowAmount": boostShadowAmount
    case "extendedDynamicRangeAmount": extendedDynamicRangeAmount
    case "isGamutMappingEnabled": isGamutMappingEnabled ? 1 : 0
    case "orientation": Float(orientation.rawValue)
    default: nil
    }
  }
}
