import CKernels
import ImageCore

/// Working memory of one worker for ``BlockShrinkage``: the rows of a plane in cells
/// (`ck_cellBlocks`) that overlapping rows of blocks need, and where the last rectangle ended.
final class CellRows {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0
  /// Cells and samples of a row.
  private var (cells, stride) = (0, 0)
  /// Columns of the last rectangle, the row behind it, and the first row of blocks not yet made.
  private var last: (columns: Range<Int>, end: Int, next: Int)?
  /// Rows are allocated in multiples of this number of cells.
  private static let group = 16

  /// Start of each buffer, in rows.
  private enum Start {
    static let carry = 0
    static let wienerCarry = 5
    static let result = 10
    static let source = 14
    static let pilot = 30
    static let end = 46
  }
  /// Rows of the rings.
  private enum Ring {
    static let source = 16
    static let pilot = 16
    /// Rows produced by one row of blocks.
    static let result = 4
  }

  init() { storage = PixelMemory.nothing.assumingMemoryBound(to: Float.self) }

  deinit { PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride) }

  /// The next row of blocks for a rectangle of `columns` that begins with row `y`, if it lies
  /// directly below the last rectangle; else nil.
  func begun(_ columns: Range<Int>, at y: Int) -> Int? {
    last.flatMap { $0.columns == columns && $0.end == y ? $0.next : nil }
  }

  /// Records that a rectangle of `columns` is complete up to row `y`, and its blocks up to row
  /// `next`.
  func end(_ columns: Range<Int>, at y: Int, next: Int) { last = (columns, y, next) }

  /// Allocates rows of `cells`, discards earlier blocks if `isCleared`, and calls `body` with the
  /// blocks in kernel form. There is no pilot if `wienerNoise` is empty.
  func withBlocks(
    cells: Int, limits: [Float], wienerNoise: [Float], variances: [Float], isCleared: Bool,
    _ body: (UnsafePointer<ck_cellBlocks>) -> Void
  ) throws(PixelError) {
    self.cells = cells
    stride = 8 * ((cells + Self.group - 1) & ~(Self.group - 1))
    let needed = stride * (wienerNoise.isEmpty ? Start.pilot : Start.end)
    if needed > capacity {
      PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
      capacity = 0
      storage = try PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
        .assumingMemoryBound(to: Float.self)
      capacity = needed
    }
    if isCleared { start(Start.carry).initialize(repeating: 0, count: Start.result * stride) }
    limits.withUnsafeBufferPointer { limits in
      wienerNoise.withUnsafeBufferPointer { wienerNoise in
        variances.withUnsafeBufferPointer { variances in
          KaiserWindow.weights.withUnsafeBufferPointer { window in
            var blocks = ck_cellBlocks(
              cells: Int64(cells), stride: Int64(stride), source: start(Start.source),
              pilot: start(Start.pilot), carry: start(Start.carry),
              wienerCarry: start(Start.wienerCarry), limits: limits.baseAddress,
              wienerNoise: wienerNoise.baseAddress, variances: variances.baseAddress,
              window: window.baseAddress)
            body(&blocks)
          }
        }
      }
    }
  }

  private func start(_ rows: Int) -> UnsafeMutablePointer<Float> { storage + rows * stride }

  /// Thresholds the `phases` of the row of blocks at `y` for the second pass.
  func thresholdForPilot(_ blocks: UnsafePointer<ck_cellBlocks>, _ phases: Int32, _ y: Int) {
    ck_thresholdCells(blocks, phases, Int64(y), start(Start.pilot), Int64(Ring.pilot))
  }

  /// Thresholds the `phases` of the row of blocks at `y` as the result.
  func threshold(_ blocks: UnsafePointer<ck_cellBlocks>, _ phases: Int32, _ y: Int) {
    ck_thresholdCells(blocks, phases, Int64(y), start(Start.result), Int64(Ring.result))
  }

  /// Filters the `phases` of the row of blocks at `y` by the pilot.
  func filter(_ blocks: UnsafePointer<ck_cellBlocks>, _ phases: Int32, _ y: Int) {
    ck_filterCells(blocks, phases, Int64(y), start(Start.result), Int64(Ring.result))
  }

  /// Loads row `y` of the plane, which begins at a cell.
  func load(_ samples: MutableRowView, _ y: Int) {
    ck_toCells(
      samples.start, Int64(cells), start(Start.source + (y & (Ring.source - 1))))
  }

  /// Stores the cells in `part` of row `y` of the result; only the last four rows are available.
  func store(_ y: Int, _ part: Range<Int>, to samples: MutableRowView) {
    ck_fromCells(
      start(Start.result + (y & (Ring.result - 1))), Int64(cells), Int64(part.lowerBound),
      Int64(part.upperBound), samples.start)
  }
}

/// The window over each axis of a block: Kaiser's with β = 2, of eight samples,
///
///     w(n) = I₀(β·√(1 − (2n/7 − 1)²)) / I₀(β)
///
/// to five decimals; w(7 − n) = w(n).
enum KaiserWindow {
  static let weights = (0..<8).map { weight($0) }

  static func weight(_ n: Int) -> Float {
    switch n {
    case 0, 7: 0.43868
    case 1, 6: 0.68132
    case 2, 5: 0.87684
    default: 0.98582
    }
  }
}
