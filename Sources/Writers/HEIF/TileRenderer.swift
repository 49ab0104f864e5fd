import ImageCore

/// Renders rectangles of the picture to code values on one thread, with its memory.
final class TileRenderer: @unchecked Sendable {
  private let encoding: PictureEncoding
  /// A run of tiles, and the last row of the run above it.
  private let wide: PlanarBuffer
  private let above: PlanarBuffer
  private let light: PlanarBuffer
  private let scratch: PlanarBuffer
  private let codes: YCbCrPlanes

  /// For rectangles of at most `tile` pixels.
  init(_ coding: TileCoding, tile: PixelSize) {
    encoding = coding.encoding
    light = PlanarBuffer(size: PixelSize(width: tile.width + 1, height: tile.height + 1))
    wide = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    above = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    scratch = PlanarBuffer(size: PixelSize(width: tile.width, height: 1))
    codes = YCbCrPlanes(size: tile, chroma: coding.chroma)
  }

  /// What `make` makes of the code values of each rectangle of `stack`: runs of neighbors in one
  /// row of the picture, one below another. A row that the chroma filter needs of the run above is
  /// kept, for with it the stages before would make whole cells anew.
  func render<Tile>(
    _ picture: some PixelSource, stack: [[PixelRect]],
    _ make: (PixelRect, YCbCrPlanes, ContentLightStatistics) throws -> Tile
  ) rethrows -> [[Tile]] {
    var last: PixelRect?
    return try stack.map { rects in
      guard let left = rects.first, let right = rects.last else { return [] }
      let run = PixelRect(x: left.x, y: left.y, width: right.endX - left.x, height: left.height)
      var fresh = encoding.source(of: run)
      let isKept = last?.endY == run.y && fresh.y < run.y
      if let last, isKept {
        let row = PixelRect(x: fresh.x, y: fresh.y, width: fresh.width, height: 1)
        above.copy(row, of: wide, from: PixelPoint(x: last.x, y: last.y))
        fresh = PixelRect(x: fresh.x, y: run.y, width: fresh.width, height: run.height)
      }
      picture.read(fresh, into: wide)
      last = fresh
      return try rects.map { rect in
        gather(encoding.source(of: rect), fresh, isKept: isKept)
        let statistics = encoding.encode(light, rect: rect, scratch: scratch, into: codes)
        return try make(rect, codes, statistics)
      }
    }
  }

  /// Copies `source` from what was read, `fresh`, and with `isKept` its first row from that above.
  private func gather(_ source: PixelRect, _ fresh: PixelRect, isKept: Bool) {
    let left = source.x - fresh.x
    light.reshape(source.size)
    for plane in 0..<3 {
      for y in 0..<source.height {
        let row = isKept && y == 0 ? above.row(plane, 0) : wide.row(plane, source.y + y - fresh.y)
        light.row(plane, y).update(from: row.from(left), count: source.width)
      }
    }
  }
}
