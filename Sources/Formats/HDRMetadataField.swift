public import ImageCore

/// One of the things that a file can say of its light. The raw value is its name in messages.
public enum HDRMetadataField: String, Sendable, CaseIterable {
  /// MaxCLL and MaxFALL.
  case contentLight = "content light"
  /// The display it was made on.
  case masteringDisplay = "a mastering display"
  /// The colors and light it has.
  case contentVolume = "a content volume"
  /// The light of the room.
  case ambient = "ambient light"
  /// The level of reference white.
  case diffuseWhite = "diffuse white"
}

extension HDRMetadata {
  /// What is known.
  public var facts: [HDRMetadataField] { HDRMetadataField.allCases.filter { self != without($0) } }

  /// The same, but for one thing.
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

  /// What of it is among `facts`.
  public func only(_ facts: Set<HDRMetadataField>) -> HDRMetadata {
    HDRMetadataField.allCases.filter { !facts.contains($0) }.reduce(self) { $0.without($1) }
  }
}
