import CVector
import ImageCore

/// Takes noise of known spectrum out of one plane: overlapping blocks of 8 × 8 are transformed by
/// cosines, coefficients that noise explains become zero, and every pixel is the weighted mean of
/// all blocks that hold it.
///
/// Source: Yu and Sapiro, "DCT image denoising: a simple and effective image denoising algorithm"
/// (2011), with the weights of Guleryuz, "Weighted overcomplete denoising" (2003): a block counts
/// by one over the noise that is left in it. The spectrum is that of the noise as it comes out of
/// the demosaic (``NoiseSpectrum``), so each frequency has its own threshold. Formula: keep c when
/// c² > (strength · σ_c)²; the mean of a block always stays. Blocks lie at every second column and
/// every `step`-th row of the whole picture, under a Kaiser window (β = 2). Units: standard
/// deviations of noise (``NoiseStabilization``). Known failure: detail fainter than the threshold
/// goes; faint cosine patterns remain beside strong edges.
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
    let scale = CosineTransform.scale
    thresholds = (0..<64).map { i in
      let size = 8 * scale[i / 8] * scale[i % 8]
      return i == 0 ? -1 : spectrum[i] * strength * strength * size * size
    }
    // Never zero: planes without noise keep everything, and weights stay finite.
    noise = spectrum.map { max($0, 1e-6) }
  }

  /// What must be known of a plane to make `rect` of it.
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

  /// Writes the smoothed `plane` of `input` to `rect` of `output`.
  func apply(
    _ input: NoiseLayer, _ plane: Int, to output: NoiseLayer, rect: PixelRect, work: BlockRows
  ) {
    // Groups of blocks begin at multiples of 16 of the whole picture, so that the order of sums,
    // and with it every bit, is the same in all rectangles.
    let left = firstColumn(rect) & ~15
    let groups = (((rect.endX - 1) & ~15) - left) / 16 + 1
    work.place(groups: groups)
    thresholds.withUnsafeBufferPointer { limits in
      noise.withUnsafeBufferPointer { sizes in
        guard let thresholds = limits.baseAddress, let noise = sizes.baseAddress else { return }
        var y = firstRow(rect)
        while y < rect.endY {
          work.transformColumns(input, plane, left, y)
          for group in 0..<groups {
            work.shrink(group, thresholds, noise)
          }
          work.restoreColumns(y)
          for done in y..<y + step {
            if done >= rect.y && done < rect.endY {
              work.finish(
                done, from: rect.x - left, count: rect.width,
                into: output.at(plane, rect.x, done))
            }
            work.clear(done)
          }
          y += step
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
  static let w0: Float = 0.43868
  static let w1: Float = 0.68132
  static let w2: Float = 0.87684
  static let w3: Float = 0.98582
  /// All eight.
  static let weights: [Float] = [w0, w1, w2, w3, w3, w2, w1, w0]
}
