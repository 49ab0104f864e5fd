import CKernels
import ImageCore

/// Working memory of one worker for ``BlockShrinkage``: rows of a plane in cells (`ck_cellBlocks`),
/// as far as overlapping rows of blocks need them, and where they ended.
final class CellRows {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0
  /// Samples of one array, and before the first.
  private var length = 0
  private static let margin = 8
  /// Columns of the last rectangle, the row behind it, and the first row of blocks not yet made.
  private var last: (columns: Range<Int>, end: Int, next: Int)?
  /// Rows of a ring.
  private static let ring = 16

  /// Where memory starts, in rows of eight arrays.
  private enum Start {
    static let source = 0
    static let pilot = 16
    static let result = 32
    static let coefficients = 48
    static let pilotCoefficients = 56
    static let sums = (64, 72)
    static let carry = 80
    static let wienerCarry = 85
    static let weights = 90
    static let end = 91
  }

  init() { storage = PixelMemory.allocate(bytes: 0).assumingMemoryBound(to: Float.self) }

  deinit { PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride) }

  /// The row of blocks that comes next for a rectangle of `columns` that begins with row `y`, where
  /// it lies right below the last one; nil where all begins anew.
  func begun(_ columns: Range<Int>, at y: Int) -> Int? {
    last.flatMap { $0.columns == columns && $0.end == y ? $0.next : nil }
  }

  /// Notes that a rectangle of `columns` is made up to row `y`, and the blocks above row `next`.
  func end(_ columns: Range<Int>, at y: Int, next: Int) { last = (columns, y, next) }

  /// Makes room for rows of `cells`, clears all if it `isCleared`, and calls `body` with the blocks
  /// as kernels know them.
  func withBlocks(
    cells: Int, limits: [Float], wienerNoise: [Float], variances: [Float], isCleared: Bool,
    _ body: (UnsafePointer<ck_cellBlocks>) -> Void
  ) {
    let groups = (cells + 7) / 8
    length = 8 * groups + 2 * Self.margin
    let needed = 8 * length * Start.end
    if needed > capacity {
      PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
      storage = PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
        .assumingMemoryBound(to: Float.self)
      capacity = needed
    }
    if isCleared { storage.initialize(repeating: 0, count: needed) }
    limits.withUnsafeBufferPointer { limits in
      wienerNoise.withUnsafeBufferPointer { wienerNoise in
        variances.withUnsafeBufferPointer { variances in
          KaiserWindow.weights.withUnsafeBufferPointer { window in
            var blocks = ck_cellBlocks(
              length: Int64(length), groups: Int64(groups),
              coefficients: start(Start.coefficients), pilot: start(Start.pilotCoefficients),
              sums: (start(Start.sums.0), start(Start.sums.1)),
              weights: (start(Start.weights), start(Start.weights) + length),
              limits: limits.baseAddress, wienerNoise: wienerNoise.baseAddress,
              variances: variances.baseAddress, window: window.baseAddress)
            body(&blocks)
          }
        }
      }
    }
  }

  private func start(_ rows: Int) -> UnsafeMutablePointer<Float> {
    storage + rows * 8 * length + Self.margin
  }

  /// Rings of 16 rows.
  var source: UnsafeMutablePointer<Float> { start(Start.source) }
  var pilot: UnsafeMutablePointer<Float> { start(Start.pilot) }
  var result: UnsafeMutablePointer<Float> { start(Start.result) }
  /// What rows of blocks leave for the next, of the thresholds and of the Wiener filter.
  var carry: UnsafeMutablePointer<Float> { start(Start.carry) }
  var wienerCarry: UnsafeMutablePointer<Float> { start(Start.wienerCarry) }

  /// Takes row `y` of the plane, which begins at a cell.
  func take(_ samples: MutableRowView, _ y: Int, cells: Int) {
    ck_toCells(
      samples.start, Int64(cells), source + (y & (Self.ring - 1)) * 8 * length, Int64(length))
  }

  /// Writes `cells` of row `y` of the result, from `cell` on.
  func give(_ y: Int, from cell: Int, cells: Int, to samples: MutableRowView) {
    ck_fromCells(
      result + (y & (Self.ring - 1)) * 8 * length + cell, Int64(length), Int64(cells),
      samples.start)
  }
}
