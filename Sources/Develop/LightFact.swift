import ImageCore

/// One of the things that a file can say of its light. The raw value is its name in messages.
enum LightFact: String, Sendable, CaseIterable {
  case contentLight = "content light"
  case masteringDisplay = "a mastering display"
  case contentVolume = "a content volume"
  case ambient = "ambient light"
  case diffuseWhite = "diffuse white"
}

extension LightMetadata {
  /// What is known.
  var facts: [LightFact] { LightFact.allCases.filter { self != without($0) } }

  /// The same, but for one thing.
  private func without(_ fact: LightFact) -> LightMetadata {
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
  func only(_ facts: Set<LightFact>) -> LightMetadata {
    LightFact.allCases.filter { !facts.contains($0) }.reduce(self) { $0.without($1) }
  }
}
