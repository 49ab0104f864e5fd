// For OutputDestination, a parameter of every writer.
@_exported public import Formats
public import Foundation
public import ImageCore

/// A file that was written.
public struct WrittenFile: Sendable, Hashable {
  /// Where it is; nil where it was written to a descriptor or to memory.
  public let url: URL?
  /// What messages call it.
  package let name: String
  /// All of it, where it was written to memory.
  public internal(set) var contents: [UInt8]?
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

  package init(
    at destination: OutputDestination, contents: [UInt8]? = nil, byteCount: Int, size: PixelSize,
    statistics: ContentLightStatistics, isToneMapped: Bool = false, notes: [String] = []
  ) {
    (url, name, self.contents) = (destination.url, destination.name, contents)
    self.byteCount = byteCount
    self.size = size
    self.statistics = statistics
    self.isToneMapped = isToneMapped
    self.notes = notes
  }
}
