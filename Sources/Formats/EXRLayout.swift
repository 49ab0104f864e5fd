/// How the pixels of an OpenEXR file are arranged. The raw value is the name in recipes and on the
/// command line.
public enum EXRLayout: String, Sendable, Hashable, Codable, CaseIterable {
  /// Lines from the top: for programs that read complete pictures.
  case lines
  /// Square tiles of one level: for programs that read parts.
  case tiles

  /// Default side of tiles in pixels.
  public static let defaultTileSize = 64
  /// Sides of tiles in pixels. A row of them is in memory: of 256 a picture of 100 megapixels
  /// would take 438 MB.
  public static let tileSizes = 16...128
}
