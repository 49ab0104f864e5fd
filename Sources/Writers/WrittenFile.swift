public import ImageCore

/// What a writer has put on the disk.
public struct WrittenFile: Sendable, Hashable {
  /// Where the file is.
  public let path: String
  /// Its length in bytes.
  public let byteCount: Int
  /// Columns and rows of the picture in it.
  public let size: PixelSize
  /// How bright the picture's linear values were before they were coded, after any tone mapping.
  public let statistics: LightStatistics
  /// Whether highlights were rolled off because the format ends below the picture's headroom.
  public let isToneMapped: Bool
  /// What the format could not hold, one sentence for each; empty when all is there.
  public let notes: [String]

  /// The account of a finished file.
  public init(
    path: String, byteCount: Int, size: PixelSize, statistics: LightStatistics,
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
