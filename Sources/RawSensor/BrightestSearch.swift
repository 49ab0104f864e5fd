import ImageCore
import Synchronization

/// The maximum of a measurement over the blocks of a picture, by branch and bound: blocks are
/// measured in descending order of their bounds, and blocks that cannot contain the maximum are
/// skipped. The result is bit-identical to measuring all blocks, in any order of threads.
///
/// Two pictures are searched this way: the mosaic by ``PeakBounds`` and ``PeakCache``, where a
/// block costs the same alone as beside others; and the picture after lens correction by
/// ``PictureExtrema``, where it costs more, so the complete picture is read once if many blocks
/// remain. Where nothing bounds the result of a stage for a pixel, all pixels are measured
/// (`PixelSource.peak(workers:)`; a caller's function) or the brightest of each color
/// (`BrightestColors`; the tables of a profile).
final class BrightestSearch: Sendable {
  struct Block: Sendable {
    /// Its index among the blocks of the picture.
    let index: Int
    let rect: PixelRect
    /// Upper bound of the measurement.
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
  /// The measured value of each block of the picture; infinity if not measured.
  var found: [Float] { state.withLock { $0.found } }

  /// Measures the blocks in `part` of ``blocks`` whose bound is above the maximum so far.
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
