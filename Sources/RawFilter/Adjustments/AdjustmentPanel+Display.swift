import Containers

/// How user interfaces show the number of a property, and which files they offer for one.
extension PanelEntry {
  /// The slider, and the number that is shown for a value: amounts of 0…1 and −1…1 are shown as
  /// 0…100 and −100…100, as raw converters do. Fields accept the full range of the property.
  package struct Display: Sendable, Hashable, Codable {
    /// The number that is shown is the value times this.
    package let factor: Double
    /// The ends of the slider, as values of the property.
    package let from: Double
    package let to: Double
    /// Change of the value by one key press.
    package let step: Double
  }

  /// How the number is shown; nil for values of other kinds.
  package var display: Display? {
    guard let adjustment = Adjustment.named(name), adjustment.property.kind == .number,
      let minimum = adjustment.property.minimum.map(Double.init),
      let maximum = adjustment.property.maximum.map(Double.init)
    else { return nil }
    // Codes are integers.
    if case .code = adjustment.accessor {
      return Display(factor: 1, from: minimum, to: maximum, step: 1)
    }
    switch adjustment.property.unit {
    case "stops":
      return Display(factor: 1, from: max(minimum, -5), to: min(maximum, 5), step: 0.05)
    case "K": return Display(factor: 1, from: minimum, to: maximum, step: 50)
    case "" where maximum - minimum <= 4:
      // Amounts; only the field reaches more than twice the usual one.
      return Display(factor: 100, from: minimum, to: maximum > 2 ? 1 : maximum, step: 0.01)
    default:
      // The shortest step of 1, 0.1, 0.01… of which there are a hundred.
      var step = 1.0
      while (maximum - minimum) * 1.001 < 100 * step { step /= 10 }
      return Display(factor: 1, from: minimum, to: maximum, step: step)
    }
  }

  /// Extensions of the files that the property names by path, in lower case; nil for others.
  package var fileExtensions: Set<String>? {
    switch name {
    case "profilePath": ["dcp"]
    case "lutPath": ["cube", "rawlook", "png"]
    case "whiteFrom", "exposureFrom": RawExtensions.all
    default: nil
    }
  }
}
