import ImageCore
import Synchronization

/// The largest value of a measurement over the blocks of a picture, by branch and bound: blocks are
/// measured from the highest bound down, and those that cannot hold it are skipped. The result is
/// that of measuring all of them, to the bit, in whatever order threads come to them.
///
/// Two pictures are searched so: the mosaic by ``PeakBounds`` and ``PeakCache``, where a block is
/// as cheap alone as beside others; and the picture behind its lens by ``PictureExtrema``, where it
/// is not, so that the whole is read once where much would be left. Where nothing bounds what a
/// stage makes of a pixel, a function of the caller or the tables of a profile, all pixels are
/// measured (`PixelSource.peak(workers:)`).
final class BrightestSearch: Sendable {
  struct Block: Sendable {
    /// Its index among the blocks of the picture.
    let index: Int
    let rect: PixelRect
    /// Upper bound of what is measured in it.
    let limit: Float
  }

  /// Rounding of a weighted sum of three or four values in single precision, relative to the sum of
  /// the magnitudes of its terms: bounds are raised by it.
  static let rounding: Float = 1e-5

  /// Highest bound first.
  let blocks: [Block]
  private let state: Mutex<(highest: Float, found: [Float])>

  init(_ blocks: [Block]) {
    self.blocks = blocks.sorted { a, b in
      (a.limit, b.rect.y, b.rect.x) > (b.limit, a.rect.y, a.rect.x)
    }
    let unknown = [Float](repeating: .infinity, count: blocks.count)
    state = Mutex((highest: -.infinity, found: unknown))
  }

  /// The largest value so far; 0 where there are no blocks.
  var highest: Float { blocks.isEmpty ? 0 : state.withLock { $0.highest } }
  /// What was measured in each block of the picture; infinity where nothing was.
  var found: [Float] { state.withLock { $0.found } }

  /// Measures `part` of ``blocks`` as far as it may hold more than was found.
  func search(
    _ part: Range<Int>, workers: Int, _ measure: @Sendable (PixelRect) throws(PixelError) -> Float
  ) throws(PixelError) {
    try Parallel.forEach(count: part.count, workers: workers) { index, _ throws(PixelError) in
      let block = blocks[part.lowerBound + index]
      guard block.limit > state.withLock({ $0.highest }) else { return }
      let found = try measure(block.rect)
      state.withLock {
        $0.highest = max($0.highest, found)
        $0.found[block.index] = found
      }
    }
  }
}
