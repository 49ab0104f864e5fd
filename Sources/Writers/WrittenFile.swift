public import ImageCore

/// What a writer has put on the disk.
public struct WrittenFile: Sendable, Hashable {
  /// Where the file is.
  public let path: String
  /// Its length in bytes.
  public let byteCount: Int
  /// Columns and rows of the picture in it.
  public let size: PixelSize
  /// How bright the picture's linear values were before they were coded.
  public let statistics: LightStatistics
  /// What the format could not hold, one sentence for each; empty when all is there.
  public let notes: [String]

  /// The account of a finished file.
  public init(
    path: String, byteCount: Int, size: PixelSize, statistics: LightStatistics,
    notes: [String] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.size = size
    self.statistics = statistics
    self.notes = notes
  }
}
