import CKernels
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

  /// `radius`: 2 or 4; `averaged`: how many pixels a sample of L is the mean of.
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
  ) throws(PixelError) -> (slope: TilePlane, offset: TilePlane) {
    let around = rect.expanded(by: radius)
    let (slope, offset) = (scratch[2], scratch[3])
    let (sums, squares) = (scratch[0], scratch[1])
    try slope.reshape(around)
    try offset.reshape(around)
    let tall = PixelRect(
      x: around.x - radius, y: around.y, width: around.width + 2 * radius, height: around.height)
    try sums.reshape(tall)
    try squares.reshape(tall)
    var guided = ck_guided(
      epsilon: epsilon, slope: noise.slope, offset: noise.offset, noiseFactor: noiseFactor,
      radius: Int32(radius))
    for y in around.y..<around.endY {
      let from = stops.row(y).from(tall.x - stops.rect.x)
      ck_guidedRow(
        &guided, from.start, Int64(stops.stride), sums.row(y).start, squares.row(y).start,
        slope.row(y).start, offset.row(y).start, Int64(around.width))
    }
    try average(slope, rect, into: sums)
    try average(offset, rect, into: squares)
    return (sums, squares)
  }

  private func average(_ plane: TilePlane, _ rect: PixelRect, into out: TilePlane)
    throws(PixelError)
  {
    let wide = PixelRect(
      x: plane.rect.x, y: rect.y, width: plane.rect.width, height: rect.height)
    try out.reshape(wide)
    for y in rect.y..<rect.endY {
      ck_windowMeans(
        plane.row(y).start, Int64(plane.stride), Int32(radius), out.row(y).start,
        Int64(rect.width))
    }
  }
}
