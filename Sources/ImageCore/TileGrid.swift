extension PixelRect {
  /// The rectangle cut at multiples of `width` and `height`, from left to right: a stage may write
  /// up to 15 samples beyond the right edge of a tile, which the next tile then overwrites.
  package func tiles(width tileWidth: Int, height tileHeight: Int) -> [PixelRect] {
    var tiles: [PixelRect] = []
    var top = y
    while top < endY {
      let bottom = min(endY, (top / tileHeight + 1) * tileHeight)
      var left = x
      while left < endX {
        let right = min(endX, (left / tileWidth + 1) * tileWidth)
        tiles.append(PixelRect(x: left, y: top, width: right - left, height: bottom - top))
        left = right
      }
      top = bottom
    }
    return tiles
  }

  /// The rectangle cut into equal tiles of about `tileWidth` × `tileHeight`, wherever it lies: for
  /// stages that read far around a tile, for which a narrow one costs as much as a wide one.
  package func evenTiles(width tileWidth: Int, height tileHeight: Int) -> [PixelRect] {
    func cuts(_ start: Int, _ length: Int, _ side: Int) -> [Range<Int>] {
      let count = max(1, (length + side / 2) / side)
      return (0..<count).map {
        start + length * $0 / count..<start + length * ($0 + 1) / count
      }
    }
    return cuts(y, height, tileHeight).flatMap { rows in
      cuts(x, width, tileWidth).map { columns in
        PixelRect(
          x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
      }
    }
  }
}
