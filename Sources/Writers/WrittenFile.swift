public import ImageCore

/// What was written.
public struct WrittenFile: Sendable, Hashable {
  /// Where it is.
  public let path: String
  /// Its length.
  public let byteCount: Int
  /// Columns and rows of the picture.
  public let size: PixelSize
  /// Brightness of the pixels that were written, measured before they became codes; where a gain
  /// map was made with them, of the high rendition.
  public package(set) var statistics: ContentLightStatistics
  /// Whether light above the format's peak was rolled off to fit.
  public let isToneMapped: Bool
  /// What the format could not take over unchanged.
  public let notes: [String]

  /// The facts of a written file.
  public init(
    path: String, byteCount: Int, size: PixelSize, statistics: ContentLightStatistics,
    isToneMapped: Bool = false, notes: [String] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.size = size
    self.statistics = statistics
    self.isToneMapped = isToneMapped
    self.notes = notes
  }
}
