public import ImageCore

/// What a writer put into a file.
public struct WrittenFile: Sendable, Hashable {
  /// Where it is.
  public let path: String
  /// Its length.
  public let byteCount: Int
  /// Columns and rows of the picture.
  public let size: PixelSize
  /// Light of the pixels as written, after any tone mapping.
  public let statistics: LightStatistics
  /// Whether highlights were rolled off because the format ends below the picture's headroom.
  public let isToneMapped: Bool
}
