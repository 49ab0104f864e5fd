import ImageCore

/// Renders rectangles of the picture to code values on one thread, with its memory.
final class TileRenderer: @unchecked Sendable {
  private let encoding: PictureEncoding
  private let wide: PlanarBuffer
  private let light: PlanarBuffer
  private let scratch: PlanarBuffer
  private let codes: YCbCrPlanes

  /// For rectangles of at most `tile` pixels.
  init(_ coding: TileCoding, tile: PixelSize) {
    encoding = coding.encoding
    light = PlanarBuffer(size: PixelSize(width: tile.width + 1, height: tile.height + 1))
    wide = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    scratch = PlanarBuffer(size: PixelSize(width: tile.width, height: 1))
    codes = YCbCrPlanes(size: tile, chroma: coding.chroma)
  }

  /// What `make` makes of the code values of each of `rects`, neighbors in one row of the picture.
  func render<Tile>(
    _ picture: some PixelSource, rects: [PixelRect],
    _ make: (PixelRect, YCbCrPlanes, ContentLightStatistics) throws -> Tile
  ) rethrows -> [Tile] {
    guard let first = rects.first, let last = rects.last else { return [] }
    let whole = encoding.source(
      of: PixelRect(x: first.x, y: first.y, width: last.endX - first.x, height: first.height))
    picture.read(whole, into: wide)
    return try rects.map { rect in
      light.copy(
        encoding.source(of: rect), of: wide, from: PixelPoint(x: whole.x, y: whole.y))
      let statistics = encoding.encode(light, rect: rect, scratch: scratch, into: codes)
      return try make(rect, codes, statistics)
    }
  }
}
