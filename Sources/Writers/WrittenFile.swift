public import ImageCore

/// A file that was written.
public struct WrittenFile: Sendable, Hashable {
  /// Its path.
  public let path: String
  /// Its length in bytes.
  public let byteCount: Int
  /// Columns and rows of the picture.
  public let size: PixelSize
  /// Luminance statistics of the pixels before encoding; where a gain map was computed, of the HDR
  /// rendition.
  public package(set) var statistics: ContentLightStatistics
  /// Whether highlights above the format's peak were rolled off.
  public let isToneMapped: Bool
  /// Whether it holds a gain map.
  public package(set) var hasGainMap = false
  /// What the format could not hold unchanged, one sentence each.
  public package(set) var notes: [String]

  /// The description of a written file.
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
