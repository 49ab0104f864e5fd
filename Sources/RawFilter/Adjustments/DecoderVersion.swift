/// The version of the rendering. A recipe that names one always renders identically.
public struct DecoderVersion: RawRepresentable, Sendable, Hashable, Codable {
  /// The version's name.
  public let rawValue: String
  /// The version named `rawValue`, which may be unknown here.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The first rendering, which is used unless a version is named.
  public static let version1 = DecoderVersion(rawValue: "1")
  /// Every version known here, oldest first.
  public static let all = [version1]
}
