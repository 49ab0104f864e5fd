package import ImageCore

/// How a picture is divided into tiles of one size that decode side by side (AV1 bitstream
/// specification 5.9.15), and the level that this needs (annex A.3).
package struct AV1TileLayout: Sendable {
  package let picture: PixelSize
  /// Multiples of 64. Tiles at the right and lower edges may be smaller.
  package let tile: PixelSize
  package let columns: Int
  package let rows: Int
  /// Maximum rows of superblocks of a tile.
  private let maxRows: Int

  /// Samples of a superblock's side.
  private static let unit = 64
  /// Maximum superblocks along a tile, and in one; maximum tiles along a side.
  private static let (maxColumns, maxUnits, maxTiles) = (64, 2304, 64)

  /// Tiles of about `height` rows, as wide as the picture, at most 4096 samples.
  package init(_ picture: PixelSize, height: Int) {
    self.picture = picture
    let (width, length) = Self.units(picture)
    columns = (width - 1) / Self.maxColumns + 1
    let part = (width - 1) / columns + 1
    let divisions = max(
      Self.log2(columns), Self.log2((width * length - 1) / Self.maxUnits + 1))
    let area = divisions > 0 ? (width * length) >> (divisions + 1) : width * length
    maxRows = max(area / part, 1)
    let wanted = max(height / Self.unit, (length - 1) / Self.maxTiles + 1)
    let partRows = min(wanted, maxRows, length)
    rows = (length - 1) / partRows + 1
    tile = PixelSize(width: part * Self.unit, height: partRows * Self.unit)
  }

  /// Columns and rows of superblocks.
  private static func units(_ picture: PixelSize) -> (Int, Int) {
    ((picture.width - 1) / unit + 1, (picture.height - 1) / unit + 1)
  }

  package var count: Int { columns * rows }

  /// Samples of the picture in a tile, counted row by row.
  package func size(_ index: Int) -> PixelSize {
    PixelSize(
      width: min(tile.width, picture.width - index % columns * tile.width),
      height: min(tile.height, picture.height - index / columns * tile.height))
  }

  /// Columns, then rows of superblocks: how many, in a tile, and how many it may have.
  var lengths: [(count: Int, part: Int, limit: Int)] {
    let (width, length) = Self.units(picture)
    return [
      (width, tile.width / Self.unit, Self.maxColumns),
      (length, tile.height / Self.unit, maxRows),
    ]
  }

  /// seq_level_idx: the lowest level that holds the picture and its tiles, else 31, which promises
  /// nothing.
  package var level: Int {
    let levels = [
      (0, 147_456, 2048, 1152, 8, 4), (1, 278_784, 2816, 1584, 8, 4),
      (4, 665_856, 4352, 2448, 16, 6), (5, 1_065_024, 5504, 3096, 16, 6),
      (8, 2_359_296, 6144, 3456, 32, 8), (12, 8_912_896, 8192, 4352, 64, 8),
      (16, 35_651_584, 16_384, 8704, 128, 16),
    ]
    return levels.first { _, area, width, height, tiles, columns in
      picture.area <= area && picture.width <= width && picture.height <= height
        && count <= tiles && self.columns <= columns
    }?.0 ?? 31
  }

  /// The smallest power of two that is not below `count`.
  static func log2(_ count: Int) -> Int {
    count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}
