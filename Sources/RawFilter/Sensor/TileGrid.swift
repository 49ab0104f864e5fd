import ImageCore

extension PixelRect {
  /// The rectangle cut at multiples of `width` and `height`, from left to right: a stage may write
  /// up to 15 samples beyond the right edge of a tile, which the next tile then overwrites.
  func tiles(width tileWidth: Int, height tileHeight: Int) -> [PixelRect] {
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
}
