package import ImageCore
import Synchronization

extension PixelSource {
  /// The largest value of all pixels, which are read once; 0 for none above it.
  package func peak(workers: Int) throws(PixelError) -> Float {
    try measured(workers: workers) { buffer, _ in
      var statistics = ContentLightStatistics()
      statistics.add(buffer)
      return statistics.contentHeadroom
    }.max() ?? 0
  }

  /// What `measure` makes of the pieces in which the picture is read once, from top to bottom: of a
  /// buffer and the part of the picture in it. As a picture is written: what stages need around a
  /// piece is made once, not anew for each. Pieces have a multiple of `unit` rows but for the last.
  package func measured<Result: Sendable>(
    unit: Int = 1, workers: Int, _ measure: @Sendable (PlanarBuffer, PixelRect) -> Result
  ) throws(PixelError) -> [Result] {
    let results = Mutex<[Result]>([])
    try PictureBands(self, unit: unit, workers: workers).forEach { band, _ throws(PixelError) in
      band.pieces.map { tile in
        measure(
          tile.light,
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
