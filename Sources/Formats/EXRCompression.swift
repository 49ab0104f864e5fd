/// Compression of an OpenEXR file. The raw value is the name in recipes and on the command line.
public enum EXRCompression: String, Sendable, Hashable, Codable, CaseIterable {
  /// No compression: largest.
  case none
  /// zlib, each line by itself: for programs that read single lines.
  case zips
  /// zlib, 16 lines together: small, fast to read.
  case zip
  /// Wavelets, 32 lines together: smallest of what is lossless for pictures with noise.
  case piz
  /// Lossy, 32 lines together.
  case dwaa
  /// Lossy, 256 lines together: for programs that read complete pictures.
  case dwab

  /// Whether values have small errors, which grow with the level.
  public var isLossy: Bool { self == .dwaa || self == .dwab }

  /// Default level of DWAA and DWAB, as in OpenEXR.
  public static let defaultLevel: Float = 45
  /// Levels of DWAA and DWAB; OpenEXR 3.3 takes no higher one.
  public static let levels: ClosedRange<Float> = 1...100
}
