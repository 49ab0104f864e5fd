import CVector
import ImageCore

/// One row of overlapping blocks of ``DCTThresholding`` at work, and the eight rows of the result
/// that it adds to. Columns and rows are transformed one after the other, so neighboring blocks
/// share the first; even and odd columns stand apart, so eight blocks two columns apart are one
/// vector. Working memory of one worker.
final class BlockRows {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0
  private var groups = 0
  /// Samples of even or odd columns of a row.
  private var half = 0
  /// The coefficients of eight blocks that are kept, a row of eight vectors for each of theirs.
  private let block = TilePlane()
  private static let one = SIMD8<Float>(repeating: 1)
  private static let zero = SIMD8<Float>(repeating: 0)

  init() {
    storage = PixelMemory.allocate(bytes: 0).assumingMemoryBound(to: Float.self)
    block.place(PixelRect(x: 0, y: 0, width: 64, height: 8))
  }

  deinit {
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
  }

  /// Makes room for rows of `groups` × 16 columns and clears all sums.
  func place(groups: Int) {
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
  }

  /// The samples from number `start` × `half` on, `length` halves of a row.
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
    let r0 = input.at(plane, left, y)
    let stride = input.stride
    @inline(__always) func column(_ x: Int) -> Octet {
      let p = r0.from(x)
      return CosineTransform.forward(
        Octet(
          v0: p.lanes(0), v1: p.lanes(stride), v2: p.lanes(2 &* stride),
          v3: p.lanes(3 &* stride), v4: p.lanes(4 &* stride), v5: p.lanes(5 &* stride),
          v6: p.lanes(6 &* stride), v7: p.lanes(7 &* stride)))
    }
    for group in 0...groups {
      let i = group &* 8
      let a = column(2 &* i)
      // Of the columns behind the last group blocks reach only the first six.
      let b = group < groups ? column(2 &* i &+ 8) : a
      @inline(__always) func put(_ k: Int, _ low: SIMD8<Float>, _ high: SIMD8<Float>) {
        coefficients(k, 0).setLanes(i, cv_even8(low, high))
        coefficients(k, 1).setLanes(i, cv_odd8(low, high))
      }
      put(0, a.v0, b.v0)
      put(1, a.v1, b.v1)
      put(2, a.v2, b.v2)
      put(3, a.v3, b.v3)
      put(4, a.v4, b.v4)
      put(5, a.v5, b.v5)
      put(6, a.v6, b.v6)
      put(7, a.v7, b.v7)
    }
  }

  /// Finishes the transform of the eight blocks of `group`, drops what noise explains, and adds
  /// what is left, transformed back along rows, to the sums.
  func shrink(
    _ group: Int, _ thresholds: UnsafePointer<Float>, _ noise: UnsafePointer<Float>
  ) {
    let i = group &* 8
    var left = Self.zero
    var kept = 0
    for k in 0..<8 {
      let (even, odd) = (coefficients(k, 0).from(i), coefficients(k, 1).from(i))
      let c = CosineTransform.forward(
        Octet(
          v0: even.lanes(0), v1: odd.lanes(0), v2: even.lanes(1), v3: odd.lanes(1),
          v4: even.lanes(2), v5: odd.lanes(2), v6: even.lanes(3), v7: odd.lanes(3)))
      let limits = thresholds + 8 &* k
      let over = Octet(
        v0: c.v0 * c.v0 - limits[0], v1: c.v1 * c.v1 - limits[1], v2: c.v2 * c.v2 - limits[2],
        v3: c.v3 * c.v3 - limits[3], v4: c.v4 * c.v4 - limits[4], v5: c.v5 * c.v5 - limits[5],
        v6: c.v6 * c.v6 - limits[6], v7: c.v7 * c.v7 - limits[7])
      let most = cv_max8(
        cv_max8(cv_max8(over.v0, over.v1), cv_max8(over.v2, over.v3)),
        cv_max8(cv_max8(over.v4, over.v5), cv_max8(over.v6, over.v7)))
      guard cv_anyPositive8(most) else { continue }
      kept |= 1 &<< k
      let out = block.row(k)
      let size = noise + 8 &* k
      @inline(__always) func put(_ l: Int, _ c: SIMD8<Float>, _ over: SIMD8<Float>) {
        out.setLanes(8 &* l, select(over .> 0, c, Self.zero))
        left += select(over .> 0, SIMD8(repeating: size[l]), Self.zero)
      }
      put(0, c.v0, over.v0)
      put(1, c.v1, over.v1)
      put(2, c.v2, over.v2)
      put(3, c.v3, over.v3)
      put(4, c.v4, over.v4)
      put(5, c.v5, over.v5)
      put(6, c.v6, over.v6)
      put(7, c.v7, over.v7)
    }
    let weight = Self.one / cv_max8(left, SIMD8(repeating: 1e-6))
    let scaled = weight * (1 / 64)
    for k in 0..<8 where kept & (1 &<< k) != 0 {
      let c = block.row(k)
      let r = CosineTransform.inverse(
        Octet(
          v0: c.lanes(0), v1: c.lanes(8), v2: c.lanes(16), v3: c.lanes(24), v4: c.lanes(32),
          v5: c.lanes(40), v6: c.lanes(48), v7: c.lanes(56)))
      spread(r, scaled, sums(k, 0).from(i), sums(k, 1).from(i))
    }
    let ones = Octet(
      v0: Self.one, v1: Self.one, v2: Self.one, v3: Self.one, v4: Self.one, v5: Self.one,
      v6: Self.one, v7: Self.one)
    spread(ones, weight, weights(0).from(i), weights(1).from(i))
  }

  /// Adds eight samples of eight blocks two columns apart, times `weight` and the window.
  @inline(__always)
  private func spread(
    _ r: Octet, _ weight: SIMD8<Float>, _ even: MutableRowView,
    _ odd: MutableRowView
  ) {
    let (w0, w1) = (weight * KaiserWindow.w0, weight * KaiserWindow.w1)
    let (w2, w3) = (weight * KaiserWindow.w2, weight * KaiserWindow.w3)
    even.setLanes(0, even.lanes(0) + r.v0 * w0)
    odd.setLanes(0, odd.lanes(0) + r.v1 * w1)
    even.setLanes(1, even.lanes(1) + r.v2 * w2)
    odd.setLanes(1, odd.lanes(1) + r.v3 * w3)
    even.setLanes(2, even.lanes(2) + r.v4 * w3)
    odd.setLanes(2, odd.lanes(2) + r.v5 * w2)
    even.setLanes(3, even.lanes(3) + r.v6 * w1)
    odd.setLanes(3, odd.lanes(3) + r.v7 * w0)
  }

  /// Transforms the sums back along columns, adds them to the result rows from `y` on, and clears
  /// them.
  func restoreColumns(_ y: Int) {
    for group in 0..<groups {
      let i = group &* 8
      let even = takeColumn(i, 0)
      let odd = takeColumn(i, 1)
      let (we, wo) = (weights(0).lanes(i), weights(1).lanes(i))
      weights(0).setLanes(i, Self.zero)
      weights(1).setLanes(i, Self.zero)
      let (lowWeight, highWeight) = (cv_zipLow8(we, wo), cv_zipHigh8(we, wo))
      @inline(__always) func put(
        _ row: Int, _ window: Float, _ even: SIMD8<Float>, _ odd: SIMD8<Float>
      ) {
        let out = result(y &+ row).from(2 &* i)
        out.setLanes(0, out.lanes(0) + cv_zipLow8(even, odd) * window)
        out.setLanes(8, out.lanes(8) + cv_zipHigh8(even, odd) * window)
        let weight = resultWeight(y &+ row).from(2 &* i)
        weight.setLanes(0, weight.lanes(0) + lowWeight * window)
        weight.setLanes(8, weight.lanes(8) + highWeight * window)
      }
      put(0, KaiserWindow.w0, even.v0, odd.v0)
      put(1, KaiserWindow.w1, even.v1, odd.v1)
      put(2, KaiserWindow.w2, even.v2, odd.v2)
      put(3, KaiserWindow.w3, even.v3, odd.v3)
      put(4, KaiserWindow.w3, even.v4, odd.v4)
      put(5, KaiserWindow.w2, even.v5, odd.v5)
      put(6, KaiserWindow.w1, even.v6, odd.v6)
      put(7, KaiserWindow.w0, even.v7, odd.v7)
    }
    // What the last group added behind its columns belongs to pixels outside.
    for parity in 0..<2 {
      weights(parity).setLanes(groups &* 8, Self.zero)
      for k in 0..<8 { sums(k, parity).setLanes(groups &* 8, Self.zero) }
    }
  }

  @inline(__always)
  private func takeColumn(_ i: Int, _ parity: Int) -> Octet {
    @inline(__always) func take(_ k: Int) -> SIMD8<Float> {
      let from = sums(k, parity).from(i)
      let value = from.lanes(0)
      from.setLanes(0, Self.zero)
      return value
    }
    return CosineTransform.inverse(
      Octet(
        v0: take(0), v1: take(1), v2: take(2), v3: take(3), v4: take(4), v5: take(5),
        v6: take(6), v7: take(7)))
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
