import CKernels
import ImageCore

/// The detail layer above an edge-preserving base: texture and small contrasts, but not edges.
///
/// Source: guided filter (He, Sun & Tang 2013), guided by itself, with a steeper edge test of our
/// own and a Wiener factor against noise. L in stops, windows of 5 × 5, with mean m and
/// variance V:
///
///     q = (ε / (V + ε))² · max(0, 1 − t² N / V)     fraction of L that is detail
///     detail = mean(q) · L − mean(q · m)             means over the same window
///
/// N is the variance of noise at m, t = 1.5, √ε = 0.1 EV. The mean of detail over a picture is 0 by
/// construction. Beside a step of one stop detail is 0.001 EV, of half a stop 0.006 EV. Sums run in
/// a fixed order around each sample: independent of rectangles. Known failure: steps below √ε are
/// mistaken for texture and get a seam as wide as the window.
struct GuidedDetail: Sendable {
  let noise: LuminanceNoise

  private static let radius = Int(CK_GUIDED_RADIUS)
  /// √ε in EV.
  private static let edgeThreshold: Float = 0.1
  /// Number of standard deviations of noise up to which a variation is unchanged: t.
  private static let threshold: Float = 1.5
  /// t² · (log2 e)².
  private static let noiseFactor = threshold * threshold * 1.442695041 * 1.442695041
  /// Samples around a rectangle that must be given.
  static let reach = 2 * radius

  /// mean(q) and mean(q · m) of `rect` from `stops`, which exceeds `rect` by ``reach``. Rows of the
  /// results start with column `rect.x`. Four `scratch` planes are used; the results are the first
  /// two of them.
  func coefficients(
    _ rect: PixelRect, _ stops: TilePlane, _ scratch: [TilePlane]
  ) throws(PixelError) -> (slope: TilePlane, offset: TilePlane) {
    let radius = Self.radius
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
      epsilon: Self.edgeThreshold * Self.edgeThreshold, slope: noise.slope, offset: noise.offset,
      noiseFactor: Self.noiseFactor)
    for y in around.y..<around.endY {
      let from = stops.row(y).from(tall.x - stops.rect.x)
      let (width, behind) = (around.width, ck_guidedRow_behind)
      ck_guidedRow(
        &guided, from.kernel(width, behind: behind), Int64(stops.stride),
        sums.row(y).kernel(width, behind: behind), squares.row(y).kernel(width, behind: behind),
        slope.row(y).kernel(width), offset.row(y).kernel(width), Int64(width))
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
      let (width, behind) = (rect.width, ck_windowMeans_behind)
      ck_windowMeans(
        plane.row(y).kernel(width, behind: behind), Int64(plane.stride),
        out.row(y).kernel(width, behind: behind), Int64(width))
    }
  }
}
