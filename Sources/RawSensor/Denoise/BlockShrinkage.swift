import CKernels
import ImageCore

/// Removes noise of known spectrum from one plane by overlapping blocks of 8 × 8, in one pass or
/// two: a threshold, and the Wiener filter that its result allows.
///
/// Source: the threshold of Yu and Sapiro, "DCT image denoising: a simple and effective image
/// denoising algorithm" (2011), with the weights of Guleryuz, "Weighted overcomplete denoising"
/// (2003); the second pass is the empirical Wiener filter of Ghael, Sayeed and Baraniuk, "Improved
/// wavelet denoising via empirical Wiener filtering" (1997), as in Dabov and others, BM3D (2007).
/// Formulas: keep c when c² > (strength · σ_c)²; then, with p the coefficient of the first result,
/// c · p² / (p² + k σ_c²); the mean of a block is always preserved. A block is weighted by one over
/// the variance of its remaining noise.
///
/// Blocks start at every fourth column and row of the full picture, in the second pass two columns
/// and rows later, so that no block edge belongs to both passes. A quincunx uses every other block,
/// like the squares of one color on a chessboard. Blocks are multiplied by a Kaiser window. Units:
/// standard deviations of noise (``AnscombeTransform``). Known failure: detail fainter than the
/// threshold is lost; faint cosine patterns remain beside strong edges.
struct BlockShrinkage: Sendable {
  private static let side = 8
  private static let step = 4
  /// Columns and rows by which the blocks of the second pass are offset.
  private static let offset = 2

  /// Which of the blocks at every fourth column and row are used.
  enum Grid: Sendable {
    case full, quincunx
  }

  private let grid: Grid
  private let limits: [Float]
  /// Empty without a second pass.
  private let wienerNoise: [Float]
  private let variances: [Float]
  private var filters: Bool { !wienerNoise.isEmpty }

  /// `spectrum`: variance of each orthonormal coefficient, row by row; `strength`: threshold in
  /// standard deviations; `wiener`: k of the second pass, nil for none.
  init(spectrum: [Float], strength: Float, wiener: Float?, grid: Grid) {
    self.grid = grid
    precondition(spectrum.count == Self.side * Self.side, "an 8 x 8 spectrum")
    let scaled = spectrum.enumerated().map { i, variance in
      let size = CosineTransform.blockScale(i)
      return variance * size * size
    }
    limits = scaled.enumerated().map { i, variance in
      i == 0 ? -1 : variance * strength * strength
    }
    // Never zero: planes without noise are unchanged, and weights stay finite.
    wienerNoise = wiener.map { k in scaled.map { max($0 * k, 1e-20) } } ?? []
    variances = spectrum.map { max($0, 1e-6) }
  }

  /// The part of a plane that is needed for `rect` of the result.
  func input(for rect: PixelRect) -> PixelRect {
    Self.blocks(over: filters ? Self.blocks(over: rect, Self.offset) : rect, 0)
  }

  /// The phases of a row of blocks (`ck_cellBlocks`), one bit each; rows alternate in a quincunx.
  private func phases(_ y: Int) -> Int32 {
    grid == .full ? 3 : 1 << Int32((y >> 2) & 1)
  }

  /// All blocks that contain a pixel of `rect` and begin at `offset` modulo the step.
  private static func blocks(over rect: PixelRect, _ offset: Int) -> PixelRect {
    func first(_ i: Int) -> Int { ((i - offset) & ~(step - 1)) + offset }
    return .spanning(
      x: first(rect.x) - step, endX: first(rect.endX - 1) + side,
      y: first(rect.y) - step, endY: first(rect.endY - 1) + side)
  }
}

extension BlockShrinkage {
  /// Writes the smoothed `plane` of `input` to `rect` of `output`. The result does not depend on
  /// the rectangles.
  func apply(
    _ input: NoiseLayer, _ plane: Int, to output: NoiseLayer, rect: PixelRect,
    work: NoiseWorkspace
  ) throws(PixelError) {
    let known = self.input(for: rect)
    let left = known.x & ~7
    let cells = (known.endX - left + 7) >> 3
    let rows = input.cells[plane]
    // The first row of blocks of the second pass, which follows the first by 6 rows.
    let second = Self.blocks(over: rect, Self.offset).y
    let first = rect.x & ~7
    let part = (first - left) >> 3..<(rect.endX - left + 7) >> 3
    func store(_ y: Int) {
      for y in max(y, rect.y)..<max(min(y + Self.step, rect.endY), max(y, rect.y)) {
        rows.store(y, part, to: output.at(plane, first, y))
      }
    }
    // Directly below an earlier rectangle its blocks continue.
    let columns = left..<left + 8 * cells
    let begun = rows.begun(columns, at: rect.y)
    let start = begun ?? known.y
    try rows.withBlocks(
      cells: cells, limits: limits, wienerNoise: wienerNoise, variances: variances,
      isCleared: begun == nil
    ) { blocks in
      if begun != nil {
        store(filters ? start - 2 * Self.step - Self.offset : start - Self.step)
      } else {
        for y in start..<start + Self.step {
          rows.load(input.at(plane, left, y), y)
        }
      }
      for y in stride(from: start, through: known.endY - Self.side, by: Self.step) {
        for y in y + Self.step..<y + Self.side {
          rows.load(input.at(plane, left, y), y)
        }
        let phases = self.phases(y)
        guard filters else {
          rows.threshold(blocks, phases, y)
          store(y)
          continue
        }
        rows.thresholdForPilot(blocks, phases, y)
        let y = y - Self.step - Self.offset
        guard y >= second else { continue }
        rows.filter(blocks, phases, y)
        store(y)
      }
    }
    rows.end(columns, at: rect.endY, next: max(start, known.endY - Self.side + Self.step))
  }
}
