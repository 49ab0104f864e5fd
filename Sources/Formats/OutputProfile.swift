/// An ICC profile from a file, whose device the samples are for.
public struct OutputProfile: Sendable, Hashable {
  /// How colors that the device does not have are treated (ICC.1:2022, clause 0.11). The raw value
  /// is the name in recipes and on the command line.
  public enum Intent: String, Sendable, Hashable, Codable, CaseIterable {
    /// White and black are mapped to the device's; other colors stay, or are clipped to its gamut
    /// surface.
    case relative
    /// As the profile's maker found pleasing.
    case perceptual
    /// As vivid as the device can.
    case saturation
    /// Colors stay, and so does the picture's white.
    case absolute
  }

  /// Display name, from the file.
  public let name: String
  /// The file, which is embedded unchanged.
  public let bytes: [UInt8]
  /// How colors are brought to the device.
  public let intent: Intent

  /// The profile in `bytes`. What is in them is checked by those who write for it.
  public init(name: String, bytes: [UInt8], intent: Intent = .relative) {
    (self.name, self.bytes, self.intent) = (name, bytes, intent)
  }
}
