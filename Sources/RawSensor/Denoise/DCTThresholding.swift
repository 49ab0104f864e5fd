import CKernels
import ImageCore

/// Removes noise of known spectrum from one plane: overlapping blocks of 8 × 8 are transformed by
/// cosines, coefficients that noise explains become zero, and every pixel is the weighted mean of
/// all blocks that hold it.
///
/// Source: Yu and Sapiro, "DCT image denoising: a simple and effective image denoising algorithm"
/// (2011), with the weights of Guleryuz, "Weighted overcomplete denoising" (2003): a block is
/// weighted by one over the variance of the noise that is left in it. The spectrum is that of the
/// noise behind the demosaic (``NoiseSpectrum``), so each frequency has its own
/// threshold. Formula: keep c when c² > (strength · σ_c)²; the mean of a block always stays. Blocks
/// lie at every second column and every `step`-th row of the whole picture, under a Kaiser window.
/// Units: standard deviations of noise (``AnscombeTransform``). Known failure: detail fainter than
/// the threshold is lost; faint cosine patterns remain beside strong edges.
struct DCTThresholding: Sendable {
  /// Rows from one block to the next, 1…8.
  let step: Int
  private let thresholds: [Float]
  private let noise: [Float]

  static let side = 8

  /// `spectrum`: variance of each orthonormal coefficient, row by row; `strength`: threshold in
  /// standard deviations.
  init(spectrum: [Float], strength: Float, step: Int) {
    precondition(spectrum.count == 64 && step > 0 && step <= Self.side, "an 8 x 8 spectrum")
    self.step = step
    thresholds = (0..<64).map { i in
      let size = CosineTransform.blockScale(i)
      return i == 0 ? -1 : spectrum[i] * strength * strength * size * size
    }
    // Never zero: planes without noise keep everything, and weights stay finite.
    noise = spectrum.map { max($0, 1e-6) }
  }

  /// The part of a plane that must be known to make `rect` of it.
  func input(for rect: PixelRect) -> PixelRect {
    .spanning(
      x: firstColumn(rect), endX: ((rect.endX - 1) & ~1) + Self.side, y: firstRow(rect),
      endY: lastRow(rect) + Self.side)
  }

  private func firstColumn(_ rect: PixelRect) -> Int { (rect.x - Self.side + 2) & ~1 }
  private func firstRow(_ rect: PixelRect) -> Int {
    let y = rect.y - Self.side + step
    return y - floorModulo(y, step)
  }
  private func lastRow(_ rect: PixelRect) -> Int {
    rect.endY - 1 - floorModulo(rect.endY - 1, step)
  }

}

extension DCTThresholding: PlaneSmoothing {
  func apply(
    _ input: NoiseLayer, _ plane: Int, to output: NoiseLayer, rect: PixelRect,
    work: NoiseWorkspace
  ) throws(PixelError) {
    let work = work.blocks
    // Groups of blocks begin at multiples of 16 of the whole picture, so that the order of sums,
    // and with it every bit, is the same in all rectangles.
    let left = firstColumn(rect) & ~15
    let groups = (((rect.endX - 1) & ~15) - left) / 16 + 1
    try work.withRow(groups: groups, thresholds: thresholds, noise: noise) { row in
      for y in stride(from: firstRow(rect), to: rect.endY, by: step) {
        func samples(_ k: Int) -> UnsafePointer<Float> {
          UnsafePointer(input.at(plane, left, y + k).start)
        }
        let rows = ck_eightRows(
          row: (
            samples(0), samples(1), samples(2), samples(3), samples(4), samples(5), samples(6),
            samples(7)
          ))
        ck_transformColumns(row, rows)
        ck_thresholdBlocks(row)
        ck_restoreColumns(row, Int64(y))
        for done in y..<y + step {
          if done >= rect.y && done < rect.endY {
            work.finish(
              done, from: rect.x - left, count: rect.width, into: output.at(plane, rect.x, done))
          }
          work.clear(done)
        }
      }
    }
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

/// One row of overlapping blocks of ``DCTThresholding``, and the eight rows of the result that they
/// overlap. Working memory of one worker.
///
/// The transform is separable: columns first, which neighboring blocks share, then rows. Even and
/// odd columns are stored apart, so that a vector holds the same sample of eight blocks, two
/// columns apart: a group of 16 columns.
final class BlockRow {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0
  /// Samples of even or odd columns of a row.
  private var half = 0

  /// Where memory of so many halves of rows starts, in halves: coefficients and their sums, 8 rows
  /// of two halves each; weights, one row; 8 rows of the result and of its weight.
  private enum Start {
    static let sums = 16
    static let weights = 32
    static let results = 34
    static let resultWeights = 50
    static let end = 66
  }

  init() { storage = PixelMemory.nothing.assumingMemoryBound(to: Float.self) }

  deinit {
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
  }

  /// Makes room for rows of `groups` × 16 columns, clears all sums, and calls `body` with the row
  /// as kernels know it. `thresholds` and `noise`: of the 64 coefficients of a block.
  func withRow(
    groups: Int, thresholds: [Float], noise: [Float],
    _ body: (UnsafePointer<ck_blockRow>) -> Void
  ) throws(PixelError) {
    half = groups * 8 + 16
    let needed = half * Start.end
    if needed > capacity {
      PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
      capacity = 0
      storage = try PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
        .assumingMemoryBound(to: Float.self)
      capacity = needed
    }
    storage.initialize(repeating: 0, count: needed)
    thresholds.withUnsafeBufferPointer { thresholds in
      noise.withUnsafeBufferPointer { noise in
        KaiserWindow.weights.withUnsafeBufferPointer { window in
          var row = ck_blockRow(
            coefficients: storage, sums: start(Start.sums), weights: start(Start.weights),
            results: start(Start.results), resultWeights: start(Start.resultWeights),
            limits: thresholds.baseAddress, variances: noise.baseAddress,
            window: window.baseAddress, half: Int64(half), groups: Int64(groups))
          body(&row)
        }
      }
    }
  }

  private func start(_ halves: Int) -> UnsafeMutablePointer<Float> { storage + halves * half }

  /// Row `y` of the result or its weight, whose memory starts at so many halves.
  private func row(_ y: Int, _ halves: Int) -> UnsafeMutablePointer<Float> {
    start(halves + 2 * (y & 7))
  }

  /// Writes `count` samples of the finished row `y`, the first at column `start` of the groups.
  func finish(_ y: Int, from start: Int, count: Int, into out: MutableRowView) {
    ck_weightedMeans(
      row(y, Start.results) + start, row(y, Start.resultWeights) + start, out.start, Int64(count))
  }

  func clear(_ y: Int) {
    row(y, Start.results).update(repeating: 0, count: 2 * half)
    row(y, Start.resultWeights).update(repeating: 0, count: 2 * half)
  }
}
