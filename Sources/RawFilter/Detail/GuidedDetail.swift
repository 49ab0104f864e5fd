import CVector
import ImageCore

/// The detail layer of one scale above an edge-preserving base: texture and small contrasts, but
/// not edges.
///
/// Source: guided filter (He, Sun & Tang 2013), guided by itself, with a steeper edge test of our
/// own and a Wiener factor against noise. L in stops, windows of (2r + 1)², with mean m and
/// variance V:
///
///     q = (ε / (V + ε))² · max(0, 1 − t² N / V)     fraction of L that is detail
///     detail = mean(q) · L − mean(q · m)             means over the same window
///
/// N is the variance of noise at m. The mean of detail over a picture is 0 by construction. Beside
/// a step of one stop detail is 0.001 EV for √ε = 0.1 EV and r = 2, 0.015 EV for 0.2 EV and r = 4
/// (half a stop: 0.006 and 0.044 EV). Sums run in a fixed order around each sample: independent of
/// rectangles. Known failure: steps below √ε are taken for texture and get a seam as wide as the
/// window.
struct GuidedDetail: Sendable {
  let radius: Int
  /// (EV)².
  let epsilon: Float
  let noise: LuminanceNoise
  /// t² · fraction of the noise that is left at this scale · (log2 e)².
  private let noiseFactor: Float

  /// `averaged`: how many pixels a sample of L is the mean of.
  init(radius: Int, contrast: Float, noise: LuminanceNoise, threshold: Float, averaged: Int) {
    self.radius = radius
    epsilon = contrast * contrast
    self.noise = noise
    // Demosaiced noise is not white: averaging leaves twice as much of its variance.
    let left = averaged > 1 ? 2 / Float(averaged) : 1
    noiseFactor = threshold * threshold * left * 1.442695041 * 1.442695041
  }

  /// Samples around a rectangle that must be given.
  var reach: Int { 2 * radius }

  /// mean(q) and mean(q · m) of `rect` from `stops`, which exceeds `rect` by ``reach``. Rows of the
  /// results start with column `rect.x`. Four `scratch` planes are used; the results are the first
  /// two of them.
  func coefficients(
    _ rect: PixelRect, _ stops: TilePlane, _ scratch: [TilePlane]
  ) -> (slope: TilePlane, offset: TilePlane) {
    let around = rect.expanded(by: radius)
    let (slope, offset) = (scratch[2], scratch[3])
    let (sums, squares) = (scratch[0], scratch[1])
    slope.reshape(around)
    offset.reshape(around)
    let tall = PixelRect(
      x: around.x - radius, y: around.y, width: around.width + 2 * radius, height: around.height)
    sums.reshape(tall)
    squares.reshape(tall)
    let area = 1 / Float((2 * radius + 1) * (2 * radius + 1))
    let step = stops.stride
    for y in around.y..<around.endY {
      let from = stops.row(y).from(tall.x - stops.rect.x)
      let (sum, square) = (sums.row(y), squares.row(y))
      for i in vectors(tall.width) {
        var (s, q) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for k in -radius...radius {
          let value = from.lanes(i &+ k &* step)
          s += value
          q += value * value
        }
        sum.setLanes(i, s)
        square.setLanes(i, q)
      }
      let (sumRow, squareRow) = (sum.from(radius), square.from(radius))
      let (slopeRow, offsetRow) = (slope.row(y), offset.row(y))
      for i in vectors(around.width) {
        let mean = window(sumRow, i) * area
        let variance = cv_max8(window(squareRow, i) * area - mean * mean, .zero)
        let edge = epsilon / (variance + epsilon)
        let q = edge * edge * signal(mean, variance)
        slopeRow.setLanes(i, q)
        offsetRow.setLanes(i, q * mean)
      }
    }
    average(slope, rect, into: sums)
    average(offset, rect, into: squares)
    return (sums, squares)
  }

  /// The Wiener factor: 1 where no variance is noise, 0 where all may be.
  @inline(__always)
  private func signal(_ mean: SIMD8<Float>, _ variance: SIMD8<Float>) -> SIMD8<Float> {
    let luminance = cv_exp2_8(mean)
    // 10⁻⁴: the variance of a constant by rounding alone.
    let noisy =
      (luminance * noise.slope + noise.offset) / (luminance * luminance) * noiseFactor + 1e-4
    return cv_max8(1 - noisy / (variance + 1e-12), .zero)
  }

  @inline(__always)
  private func window(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    var sum = row.lanes(i)
    for k in 1...radius { sum += row.lanes(i &- k) + row.lanes(i &+ k) }
    return sum
  }

  private func average(_ plane: TilePlane, _ rect: PixelRect, into out: TilePlane) {
    let wide = PixelRect(
      x: plane.rect.x, y: rect.y, width: plane.rect.width, height: rect.height)
    out.reshape(wide)
    let area = 1 / Float((2 * radius + 1) * (2 * radius + 1))
    let step = plane.stride
    for y in rect.y..<rect.endY {
      let (from, target) = (plane.row(y), out.row(y))
      for i in vectors(wide.width) {
        var sum = from.lanes(i)
        for k in 1...radius { sum += from.lanes(i &- k &* step) + from.lanes(i &+ k &* step) }
        target.setLanes(i, sum)
      }
      for i in vectors(rect.width) {
        // In place: all samples that are still to be read lie to the right.
        target.setLanes(i, window(target.from(radius), i) * area)
      }
    }
  }
}
