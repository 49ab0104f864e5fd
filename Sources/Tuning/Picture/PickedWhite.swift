import ImageCore

/// The white that makes the surroundings of a pixel neutral, by the names of the properties.
public struct PickedWhite: Sendable, Hashable, Codable {
  /// In kelvin; nil where the file has no plausible color temperatures, and the location is to be
  /// set instead.
  public var neutralTemperature: Float?
  /// Nil where the temperature is.
  public var neutralTint: Float?
  /// The native pixel, x and y.
  public var neutralLocation: [Int]
}
