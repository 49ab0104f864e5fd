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
  public var fields: [HDRMetadataField] { HDRMetadataField.allCases.filter { self != without($0) } }

  /// The same without one field.
  private func without(_ field: HDRMetadataField) -> HDRMetadata {
    var metadata = self
    switch field {
    case .contentLight: metadata.contentLight = nil
    case .masteringDisplay: metadata.masteringDisplay = nil
    case .contentVolume: metadata.contentVolume = nil
    case .ambient: metadata.ambient = nil
    case .diffuseWhite: metadata.diffuseWhiteNits = nil
    }
    return metadata
  }

  /// The same with no fields but `fields`.
  public func only(_ fields: Set<HDRMetadataField>) -> HDRMetadata {
    HDRMetadataField.allCases.filter { !fields.contains($0) }.reduce(self) { $0.without($1) }
  }
}
