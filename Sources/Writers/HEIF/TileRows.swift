import ImageCore
import Synchronization

/// The code values of the tiles of a picture, made of its bands: a row of tiles is complete when
/// all bands that hold a part of it are encoded, in whatever order. All threads that come by finish
/// its tiles before they begin the next row, so there is memory for little more than one.
final class TileRows: Sendable {
  private let coding: TileCoding
  private let grid: TileGrid
  private let begun = Mutex<[Int: Row]>([:])
  /// Tiles to be finished.
  private let waiting = Mutex<[(index: Int, codes: YCbCrPlanes)]>([])
  private let free = Mutex<[YCbCrPlanes]>([])
  private let workspaces = WorkspacePool { Workspace() }

  /// The tiles of a row of the grid, and the rows of pixels that they lack.
  private struct Row {
    let tiles: [YCbCrPlanes]
    var missing: Int
  }

  private final class Workspace {
    let linear = PlanarBuffer()
    let scratch = PlanarBuffer()
  }

  init(_ coding: TileCoding, _ grid: TileGrid) {
    (self.coding, self.grid) = (coding, grid)
  }

  /// Encodes `band`; calls `finish` with the number and the code values of each complete tile that
  /// no other thread has finished. Returns luminance statistics of the band.
  func add(
    _ band: PictureBand, _ finish: (_ index: Int, _ codes: YCbCrPlanes) throws -> Void
  ) throws -> ContentLightStatistics {
    try finishWaiting(finish)
    var statistics = ContentLightStatistics()
    let tile = grid.tile.height
    for row in band.rect.y / tile...(band.rect.endY - 1) / tile {
      let tiles = try codes(row)
      for (column, codes) in tiles.enumerated() {
        let rect = grid.rect(row * grid.columns + column).intersection(band.rect)
        statistics.add(try encode(rect, of: band, into: codes, from: rect.y - row * tile))
      }
      let height = min((row + 1) * tile, band.rect.endY) - max(row * tile, band.rect.y)
      guard isComplete(row, adding: height) else { continue }
      waiting.withLock { waiting in
        for (column, codes) in tiles.enumerated() {
          waiting.append((row * grid.columns + column, codes))
        }
      }
      try finishWaiting(finish)
    }
    return statistics
  }

  private func finishWaiting(_ finish: (_ index: Int, _ codes: YCbCrPlanes) throws -> Void) rethrows
  {
    while let (index, codes) = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      codes.pad(grid.rect(index).size)
      try finish(index, codes)
      free.withLock { $0.append(codes) }
    }
  }

  private func encode(
    _ rect: PixelRect, of band: PictureBand, into codes: YCbCrPlanes, from first: Int
  ) throws(PixelError) -> ContentLightStatistics {
    try workspaces.with { work throws(PixelError) in
      try band.copy(coding.encoding.source(of: rect), into: work.linear)
      try work.scratch.reshape(PixelSize(width: grid.tile.width, height: 1))
      return coding.encoding.encode(
        work.linear, rect: rect, scratch: work.scratch, into: codes, at: PixelPoint(x: 0, y: first))
    }
  }

  private func codes(_ row: Int) throws(PixelError) -> [YCbCrPlanes] {
    try begun.withLock { begun throws(PixelError) in
      if let known = begun[row] { return known.tiles }
      let tiles = try (0..<grid.columns).map { _ throws(PixelError) in
        if let planes = free.withLock({ $0.popLast() }) { return planes }
        return try YCbCrPlanes(size: grid.tile, chroma: coding.chroma)
      }
      begun[row] = Row(tiles: tiles, missing: grid.rect(row * grid.columns).height)
      return tiles
    }
  }

  private func isComplete(_ row: Int, adding height: Int) -> Bool {
    begun.withLock { begun in
      begun[row]?.missing -= height
      guard begun[row]?.missing == 0 else { return false }
      begun[row] = nil
      return true
    }
  }
}
