package import ImageCore
import Synchronization

extension PixelSource {
  /// The largest value of all pixels, at least 0; reads them once.
  package func peak(workers: Int) throws(PixelError) -> Float {
    try measured(workers: workers) { buffer, _ in
      var statistics = ContentLightStatistics()
      statistics.add(buffer)
      return statistics.contentHeadroom
    }.max() ?? 0
  }

  /// The results of `measure` for the tiles in which the picture is read once, from top to bottom;
  /// it gets a buffer and the part of the picture in it. Reads as writing does: stages compute the
  /// surroundings of tiles once, not for each. The height of all tiles but the last is a multiple
  /// of `unit`.
  package func measured<Result: Sendable>(
    unit: Int = 1, workers: Int, _ measure: @Sendable (PlanarBuffer, PixelRect) -> Result
  ) throws(PixelError) -> [Result] {
    let results = Mutex<[Result]>([])
    try PictureBands(self, unit: unit, workers: workers).forEach { band, _ throws(PixelError) in
      band.pieces.map { tile in
        measure(
          tile.pixels,
          PixelRect(
            x: tile.columns.lowerBound, y: band.rect.y, width: tile.columns.count,
            height: band.rect.height))
      }
    } consume: { _, made throws(PixelError) in
      results.withLock { $0 += made }
    }
    return results.withLock { $0 }
  }
}
