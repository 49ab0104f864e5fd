import CVector
import ImageCore

/// A change of a picture's luminance at low resolution: at each sample a linear function of a
/// pixel's log luminance, change = slope · L + offset in stops, which follows edges of the
/// full-size picture that the samples do not resolve.
///
/// Source: guided upsampling (He & Sun 2015). Lines are fitted by regression over windows of (2r +
/// 1)² samples, and averaged over smaller windows (beside an edge, windows with few samples of the
/// other side do not describe that side). The regression is regularized by the fourth power of ε,
///
///     slope = cov(L, change) · max(0, var(L) − N) / (var(L)² + ε⁴),
///
/// so that edges and texture well above ε get their full slope, and details finer than the samples
/// change with them; below ε details are unchanged, as they are where they may be mostly noise, if
/// its variance N is given. Slopes are limited. L and changes: stops, finite. Known failure:
/// samples of two surfaces and of an edge between them share one line, so a surface seen in less
/// than a window gets part of its neighbor's change.
struct ChangeLines: Sendable {
  struct Windows: Sendable {
    /// Half sides of the windows of the regression and of the mean, up to 8.
    let radius: Int
    let meanRadius: Int
    /// ε² in stops².
    let epsilon: Float
    let slopeLimit: Float
  }

  /// The reduced picture that the lines are fitted to.
  let proxy: LuminanceProxy
  /// Plane 0 slope, plane 1 offset.
  let planes: PlanarBuffer

  /// Without samples.
  init(_ proxy: LuminanceProxy) throws(PixelError) {
    self.proxy = proxy
    planes = try PlanarBuffer(size: proxy.size)
  }

  /// Fits lines to `changes` at the samples of `proxy`, whose log luminance is `stops`; `noise`: N.
  init(
    _ proxy: LuminanceProxy, _ changes: TilePlane, over stops: TilePlane, _ windows: Windows,
    noise: TilePlane? = nil
  ) throws(PixelError) {
    try self.init(proxy)
    let rect = stops.rect
    let (slopes, offsets) = (TilePlane(), TilePlane())
    let sums = (0..<4).map { _ in TilePlane() }
    for plane in [slopes, offsets] + sums { try plane.reshape(rect) }
    for y in 0..<rect.height {
      let (target, value) = (changes.row(y), stops.row(y))
      for i in vectors(rect.width) {
        let (level, change) = (value.lanes(i), target.lanes(i))
        sums[0].row(y).setLanes(i, level)
        sums[1].row(y).setLanes(i, change)
        sums[2].row(y).setLanes(i, level * level)
        sums[3].row(y).setLanes(i, level * change)
      }
    }
    let rows = TilePlane()
    for plane in sums { try plane.boxMean(radius: windows.radius, rows) }
    let bound = SIMD8<Float>(repeating: windows.slopeLimit)
    for y in 0..<rect.height {
      for i in vectors(rect.width) {
        let (level, change) = (sums[0].row(y).lanes(i), sums[1].row(y).lanes(i))
        let variance = cv_max8(sums[2].row(y).lanes(i) - level * level, .zero)
        let common = sums[3].row(y).lanes(i) - level * change
        let regularized = variance * variance + windows.epsilon * windows.epsilon
        let known = noise.map { cv_max8(variance - $0.row(y).lanes(i), .zero) } ?? variance
        let slope = cv_clamp8(common * known / regularized, -bound, bound)
        slopes.row(y).setLanes(i, slope)
        offsets.row(y).setLanes(i, change - slope * level)
      }
    }
    for (index, plane) in [slopes, offsets].enumerated() {
      try plane.boxMean(radius: windows.meanRadius, rows)
      for y in 0..<rect.height {
        planes.row(index, y).update(from: plane.row(y), count: rect.width)
      }
    }
  }
}

extension TilePlane {
  /// Replaces each sample by the mean of the square around it, edges repeated; `rows` is scratch.
  func boxMean(radius: Int, _ rows: TilePlane) throws(PixelError) {
    precondition(radius <= Self.margin - 8, "a window wider than the margins")
    try rows.reshape(rect)
    let (width, height) = (rect.width, rect.height)
    let tap = 1 / Float(2 * radius + 1)
    for y in 0..<height {
      let (from, out) = (row(rect.y + y), rows.row(rect.y + y))
      for k in 1...radius { from[-k] = from[0] }
      for k in 0..<radius { from[width + k] = from[width - 1] }
      for i in vectors(width) {
        var sum = from.lanes(i)
        for k in 1...radius { sum += from.lanes(i &- k) + from.lanes(i &+ k) }
        out.setLanes(i, sum * tap)
      }
    }
    for y in 0..<height {
      let out = row(rect.y + y)
      for i in vectors(width) {
        var sum = rows.row(rect.y + y).lanes(i)
        for k in 1...radius {
          sum += rows.row(rect.y + max(y - k, 0)).lanes(i)
          sum += rows.row(rect.y + min(y + k, height - 1)).lanes(i)
        }
        out.setLanes(i, sum * tap)
      }
    }
  }
}
