public import ImageCore

/// A kind of HDR metadata. The raw value is its name in messages.
public enum HDRMetadataField: String, Sendable, CaseIterable {
  /// MaxCLL and MaxFALL.
  case contentLight = "content light"
  /// The display on which the picture was mastered.
  case masteringDisplay = "a mastering display"
  /// Primaries and luminance range of the content.
  case contentVolume = "a content volume"
  /// Ambient viewing environment.
  case ambient = "ambient light"
  /// Luminance of diffuse white.
  case diffuseWhite = "diffuse white"
}

extension HDRMetadata {
  /// The fields that are set.
  public var facts: [HDRMetadataField] { HDRMetadataField.allCases.filter { self != without($0) } }

  /// The same without one field.
  private func without(_ fact: HDRMetadataField) -> HDRMetadata {
    var light = self
    switch fact {
    case .contentLight: light.contentLight = nil
    case .masteringDisplay: light.masteringDisplay = nil
    case .contentVolume: light.contentVolume = nil
    case .ambient: light.ambient = nil
    case .diffuseWhite: light.diffuseWhiteNits = nil
    }
    return light
  }

  /// The same with no fields but `facts`.
  public func only(_ facts: Set<HDRMetadataField>) -> HDRMetadata {
    HDRMetadataField.allCases.filter { !facts.contains($0) }.reduce(self) { $0.without($1) }
  }
}
