import CVector
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

  /// Writes the smoothed `plane` of `input` to `rect` of `output`.
  func apply(
    _ input: NoiseLayer, _ plane: Int, to output: NoiseLayer, rect: PixelRect, work: BlockRow
  ) {
    // Groups of blocks begin at multiples of 16 of the whole picture, so that the order of sums,
    // and with it every bit, is the same in all rectangles.
    let left = firstColumn(rect) & ~15
    let groups = (((rect.endX - 1) & ~15) - left) / 16 + 1
    work.reset(groups: groups, thresholds: thresholds, noise: noise)
    for y in stride(from: firstRow(rect), to: rect.endY, by: step) {
      work.transformColumns(input, plane, left, y)
      for group in 0..<groups { work.threshold(group) }
      work.restoreColumns(y)
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

/// The window over each axis of a block: Kaiser's with β = 2, of eight samples,
///
///     w(n) = I₀(β·√(1 − (2n/7 − 1)²)) / I₀(β)
///
/// to five decimals; w(7 − n) = w(n).
enum KaiserWindow {
  @inline(__always)
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
  private var groups = 0
  /// Samples of even or odd columns of a row.
  private var half = 0
  /// The coefficients of eight blocks that are kept: a row for each row of a block, eight vectors.
  private let block = TilePlane()
  /// Thresholds of squared coefficients, and the variance of noise in them.
  private let thresholds = TilePlane()
  private let noise = TilePlane()

  init() {
    storage = PixelMemory.allocate(bytes: 0).assumingMemoryBound(to: Float.self)
    block.reshape(PixelRect(x: 0, y: 0, width: 64, height: 8))
    thresholds.reshape(PixelRect(x: 0, y: 0, width: 8, height: 8))
    noise.reshape(PixelRect(x: 0, y: 0, width: 8, height: 8))
  }

  deinit {
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
  }

  /// Makes room for rows of `groups` × 16 columns and clears all sums. `thresholds` and `noise`: of
  /// the 64 coefficients of a block.
  func reset(groups: Int, thresholds: [Float], noise: [Float]) {
    self.groups = groups
    half = groups * 8 + 16
    // Coefficients and their sums, 8 rows of two halves each; weights; 8 rows of result and weight.
    let needed = half * (16 + 16 + 2) + 2 * half * 16
    if needed > capacity {
      PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
      storage = PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
        .assumingMemoryBound(to: Float.self)
      capacity = needed
    }
    storage.initialize(repeating: 0, count: needed)
    for i in 0..<64 {
      self.thresholds.row(i / 8)[i % 8] = thresholds[i]
      self.noise.row(i / 8)[i % 8] = noise[i]
    }
  }

  /// `length` halves of a row from half number `start` of the memory on.
  @inline(__always)
  private func row(_ start: Int, _ length: Int = 1) -> MutableRowView {
    MutableRowView(
      storage + start &* half, count: length &* half, before: start &* half,
      behind: capacity &- (start &+ length) &* half)
  }

  /// Even (0) or odd (1) columns of coefficient row `k`.
  @inline(__always)
  private func coefficients(_ k: Int, _ parity: Int) -> MutableRowView {
    row(2 &* k &+ parity)
  }
  @inline(__always)
  private func sums(_ k: Int, _ parity: Int) -> MutableRowView {
    row(16 &+ 2 &* k &+ parity)
  }
  @inline(__always)
  private func weights(_ parity: Int) -> MutableRowView {
    row(32 &+ parity)
  }
  @inline(__always)
  private func result(_ y: Int) -> MutableRowView {
    row(34 &+ 2 &* (y & 7), 2)
  }
  @inline(__always)
  private func resultWeight(_ y: Int) -> MutableRowView {
    row(50 &+ 2 &* (y & 7), 2)
  }

  /// Transforms the columns of rows `y` to `y + 7` from column `left` on.
  func transformColumns(_ input: NoiseLayer, _ plane: Int, _ left: Int, _ y: Int) {
    let samples = input.at(plane, left, y)
    let stride = input.stride
    @inline(__always) func columns(_ x: Int) -> Octet {
      CosineTransform.forward(Octet { samples.lanes(x &+ $0 &* stride) })
    }
    for group in 0...groups {
      let i = group &* 8
      let low = columns(2 &* i)
      // Of the columns behind the last group blocks reach only the first six.
      let high = group < groups ? columns(2 &* i &+ 8) : low
      Octet.forEach { k in
        coefficients(k, 0).setLanes(i, cv_even8(low[k], high[k]))
        coefficients(k, 1).setLanes(i, cv_odd8(low[k], high[k]))
      }
    }
  }

  /// Transforms the rows of the eight blocks of `group`, drops the coefficients that noise
  /// explains, and adds the others, transformed back along rows, to the sums.
  func threshold(_ group: Int) {
    let i = group &* 8
    var noiseLeft = SIMD8<Float>.zero
    var kept = 0
    for k in 0..<8 {
      let (even, odd) = (coefficients(k, 0).from(i), coefficients(k, 1).from(i))
      let c = CosineTransform.forward(Octet { ($0 & 1 == 0 ? even : odd).lanes($0 &>> 1) })
      let limits = thresholds.row(k)
      let excess = Octet { c[$0] * c[$0] - limits[$0] }
      let highest = cv_max8(
        cv_max8(cv_max8(excess.v0, excess.v1), cv_max8(excess.v2, excess.v3)),
        cv_max8(cv_max8(excess.v4, excess.v5), cv_max8(excess.v6, excess.v7)))
      guard cv_anyPositive8(highest) else { continue }
      kept |= 1 &<< k
      let (out, variances) = (block.row(k), noise.row(k))
      Octet.forEach { l in
        out.setLanes(8 &* l, select(excess[l] .> 0, c[l], .zero))
        noiseLeft += select(excess[l] .> 0, SIMD8(repeating: variances[l]), .zero)
      }
    }
    let one = SIMD8<Float>(repeating: 1)
    let weight = one / cv_max8(noiseLeft, SIMD8(repeating: 1e-6))
    let scaled = weight * (1 / 64)
    for k in 0..<8 where kept & (1 &<< k) != 0 {
      let c = block.row(k)
      let samples = CosineTransform.inverse(Octet { c.lanes(8 &* $0) })
      spread(samples, scaled, sums(k, 0).from(i), sums(k, 1).from(i))
    }
    spread(Octet { _ in one }, weight, weights(0).from(i), weights(1).from(i))
  }

  /// Adds eight samples of eight blocks two columns apart, times `weight` and the window.
  @inline(__always)
  private func spread(
    _ samples: Octet, _ weight: SIMD8<Float>, _ even: MutableRowView, _ odd: MutableRowView
  ) {
    Octet.forEach { n in
      let (row, i) = (n & 1 == 0 ? even : odd, n &>> 1)
      row.setLanes(i, row.lanes(i) + samples[n] * (weight * KaiserWindow.weight(n)))
    }
  }

  /// Transforms the sums back along columns, adds them to the result rows from `y` on, and clears
  /// them.
  func restoreColumns(_ y: Int) {
    for group in 0..<groups {
      let i = group &* 8
      let (even, odd) = (takeColumns(i, 0), takeColumns(i, 1))
      let (we, wo) = (take(weights(0), i), take(weights(1), i))
      let (lowWeight, highWeight) = (cv_zipLow8(we, wo), cv_zipHigh8(we, wo))
      Octet.forEach { n in
        let window = KaiserWindow.weight(n)
        let out = result(y &+ n).from(2 &* i)
        out.setLanes(0, out.lanes(0) + cv_zipLow8(even[n], odd[n]) * window)
        out.setLanes(8, out.lanes(8) + cv_zipHigh8(even[n], odd[n]) * window)
        let weight = resultWeight(y &+ n).from(2 &* i)
        weight.setLanes(0, weight.lanes(0) + lowWeight * window)
        weight.setLanes(8, weight.lanes(8) + highWeight * window)
      }
    }
    // What the last group added behind its columns belongs to pixels outside.
    for parity in 0..<2 {
      weights(parity).setLanes(groups &* 8, .zero)
      for k in 0..<8 { sums(k, parity).setLanes(groups &* 8, .zero) }
    }
  }

  @inline(__always)
  private func takeColumns(_ i: Int, _ parity: Int) -> Octet {
    CosineTransform.inverse(Octet { take(sums($0, parity), i) })
  }

  /// The samples at columns `i` to `i + 7`, which become zero.
  @inline(__always)
  private func take(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    let value = row.lanes(i)
    row.setLanes(i, .zero)
    return value
  }

  /// Writes `count` samples of the finished row `y`, the first at column `start` of the groups.
  func finish(_ y: Int, from start: Int, count: Int, into out: MutableRowView) {
    let (sum, weight) = (result(y).from(start), resultWeight(y).from(start))
    for x in vectors(count) {
      out.setLanes(x, sum.lanes(x) / weight.lanes(x))
    }
  }

  func clear(_ y: Int) {
    result(y).update(repeating: 0, count: 2 * half)
    resultWeight(y).update(repeating: 0, count: 2 * half)
  }
}
