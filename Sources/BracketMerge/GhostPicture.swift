public import ImageCore

/// Where a merged picture comes from one frame, as a small gray picture: 0 where all frames count,
/// else brighter for longer exposures, 255 the longest.
public struct GhostPicture: Sendable {
  /// Columns and rows, each of ``side`` photosites of the sensor.
  public let size: PixelSize
  /// Photosites along a pixel.
  public let side: Int
  /// Gray values, row by row.
  public let values: [UInt8]

  init(_ map: GhostMap, frames: Int) {
    (size, side) = (map.size, map.side)
    values = map.choice.map { UInt8(Int($0) * 255 / max(frames, 1)) }
  }
}
