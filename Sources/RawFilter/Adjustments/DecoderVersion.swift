/// The version of the rendering. A recipe that names one always renders identically.
public struct DecoderVersion: RawRepresentable, Sendable, Hashable, Codable {
  /// The version's name.
  public let rawValue: String
  /// The version named `rawValue`, which may be unknown here.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The first rendering: color, tone and headroom; no noise reduction, sharpening or lens profiles
  /// unless they are set.
  public static let version1 = DecoderVersion(rawValue: "1")
  /// Adds noise reduction, capture sharpening, lens profiles and a better demosaic by default.
  public static let version2 = DecoderVersion(rawValue: "2")
  /// Adds what makes a picture hold up at full size: highlights under any white, lateral color and
  /// defects found in the picture itself.
  public static let version3 = DecoderVersion(rawValue: "3")
  /// Every version known here, oldest first.
  public static let all = [version1, version2, version3]
  /// What is used unless a version is named.
  public static let newest = version3
}
