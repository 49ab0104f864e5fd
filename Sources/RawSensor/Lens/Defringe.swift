package import ImageCore
package import RawData

/// Removes purple and green fringes beside strong edges: longitudinal chromatic aberration, colors
/// that the lens does not focus in the plane of green.
///
/// Source: own; that a fringe differs in color from its surroundings, as in B. Kim and R. Park,
/// "Automatic detection and correction of purple fringing" (2008). With s(v) = √(max(v, 0) +
/// `floor`), u = s(R) − s(G), v = s(B) − s(G) and p = (u + v)/2, the mean of 3 × 3 pixels, a pixel
/// is purple above 0, green below. p is sampled at 16 points on a circle of `radius` around the
/// pixel. The fifth highest sample, at least 0, is the purple of the surroundings: a fringe along
/// an edge crosses the circle twice, briefly, a purple surface covers more of it. The excess of p
/// over it, beyond `tolerance`, is fringe, and is subtracted from u and v in proportion to their
/// parts of it; green fringes in the same way with opposite signs. The weight is the amount times
/// the strength of the strongest edge: from 0 to 1 where s(G) varies by `edges` within `edgeReach`
/// pixels. Units: balanced linear values; luminance is taken from green, which is not changed.
/// Pixels without an edge nearby, or without excess, are unchanged. Known failures: fringes wider
/// than `radius`; purple objects smaller than it beside strong edges lose color; in foliage against
/// the sky fringes may cover the full circle.
package struct Defringe: PixelSource {
  package typealias State = CameraRGB

  /// Valid amounts.
  package static let amounts: ClosedRange<Float> = 0...1
  /// Radius of the circle, and maximum distance of an edge that causes a fringe, in photosites.
  private static let radius = 12
  private static let edgeReach = 8
  private static let floor: Float = 1e-3
  private static let edges: ClosedRange<Float> = 0.15...0.35
  private static let tolerance: Float = 0.01
  /// Index, from the highest of the sixteen, of the sample that represents the surroundings.
  private static let rank = 4

  package let source: any PixelSource<CameraRGB>
  /// 0 (nothing changes) … 1.
  package let amount: Float
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, highBand) }
  /// Pixels that are read on each side of a rectangle.
  package let halo: Int
  private let reach: Int
  private let circle: [PixelPoint]
  private let pool = WorkspacePool { Workspace() }

  /// `source`, whose pixels cover `reduction` photosites along each side. Throws when `amount` is
  /// outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, amount: Float, reduction: Int = 1
  ) throws(RAWError) {
    try Self.amounts.check(amount, "amount of defringing")
    (self.source, self.amount) = (source, amount)
    let radius = max(Self.radius / max(reduction, 1), 3)
    reach = max(Self.edgeReach / max(reduction, 1), 2)
    halo = max(radius, reach) + 1
    // A circle of sixteen points: 0, 22.5, 45, 67.5 degrees and their images.
    let r = Double(radius)
    let quarter = [(1, 0), (0.923_88, 0.382_683), (0.707_107, 0.707_107), (0.382_683, 0.923_88)]
      .map { PixelPoint(x: Int(($0.0 * r).rounded()), y: Int(($0.1 * r).rounded())) }
    circle = quarter.flatMap {
      [
        $0, PixelPoint(x: -$0.y, y: $0.x), PixelPoint(x: -$0.x, y: -$0.y),
        PixelPoint(x: $0.y, y: -$0.x),
      ]
    }
  }

  /// Working memory of one reader.
  private final class Workspace {
    let noise = NoiseWorkspace()
    /// Roots of the channels.
    let roots = NoiseLayer()
    /// p of each pixel, its mean of 3 × 3, and the edges.
    let fringe = NoiseLayer()
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard amount > 0 else { return try source.read(rect, into: buffer) }
    try buffer.reshape(rect.size)
    try pool.with { work throws(PixelError) in
      for tile in rect.evenTiles(width: 1024, height: 256) {
        let layer = work.noise.levels[0]
        try work.noise.copy(source, tile.expanded(by: halo), into: layer)
        try prepare(layer, tile, work)
        for y in tile.y..<tile.endY {
          for c in 0..<3 {
            buffer.row(c, y - rect.y).from(tile.x - rect.x).update(
              from: layer.at(c, tile.x, y), count: tile.width)
          }
          finish(y, tile, work, buffer.rows(y - rect.y).from(tile.x - rect.x))
        }
      }
    }
  }

  /// Fills the planes of `work` around `tile`.
  private func prepare(_ layer: NoiseLayer, _ tile: PixelRect, _ work: Workspace) throws(PixelError)
  {
    let wide = tile.expanded(by: halo)
    let (roots, fringe) = (work.roots, work.fringe)
    try roots.reshape(wide)
    try fringe.reshape(wide)
    for y in wide.y..<wide.endY {
      for c in 0..<3 {
        let (from, to) = (layer.at(c, wide.x, y), roots.at(c, wide.x, y))
        for x in 0..<wide.width { to[x] = (max(from[x], 0) + Self.floor).squareRoot() }
      }
      let (r, g, b) = (roots.at(0, wide.x, y), roots.at(1, wide.x, y), roots.at(2, wide.x, y))
      let p = fringe.at(0, wide.x, y)
      for x in 0..<wide.width { p[x] = (r[x] + b[x]) * 0.5 - g[x] }
    }
    let inner = wide.expanded(by: -1)
    for y in inner.y..<inner.endY {
      let rows = (-1...1).map { fringe.at(0, inner.x, y + $0) }
      let mean = fringe.at(1, inner.x, y)
      for x in 0..<inner.width {
        var sum: Float = 0
        for row in rows { sum += row[x - 1] + row[x] + row[x + 1] }
        mean[x] = sum / 9
      }
    }
  }

  /// Strength of the strongest edge nearby, 0…1, at sample `x` of row `y` of green.
  @inline(__always)
  private func edge(_ green: MutableRowView, _ stride: Int) -> Float {
    var (low, high) = (green[0], green[0])
    for dy in -reach...reach {
      let row = green.from(dy &* stride)
      for dx in -reach...reach {
        low = min(low, row[dx])
        high = max(high, row[dx])
      }
    }
    return smoothstep(
      (high - low - Self.edges.lowerBound) / (Self.edges.upperBound - Self.edges.lowerBound))
  }

  /// Removes the fringes of row `y` from `rows`, which hold the source.
  private func finish(_ y: Int, _ tile: PixelRect, _ work: Workspace, _ rows: RGBRows) {
    let (roots, fringe) = (work.roots, work.fringe)
    let mean = fringe.at(1, tile.x, y)
    let (r, g, b) = (roots.at(0, tile.x, y), roots.at(1, tile.x, y), roots.at(2, tile.x, y))
    let offsets = circle.map { $0.y * fringe.stride + $0.x }
    for x in 0..<tile.width {
      let own = mean[x]
      let sign: Float = own > 0 ? 1 : -1
      guard own * sign > Self.tolerance else { continue }
      // Insertion into the highest so far is quick where most samples are no higher.
      var highest = SIMD8<Float>(repeating: 0)
      var around = 0
      for offset in offsets {
        let value = sign * mean.from(x)[offset]
        if value >= own * sign { around += 1 }
        var k = Self.rank
        guard value > highest[k] else { continue }
        while k > 0, highest[k - 1] < value {
          highest[k] = highest[k - 1]
          k -= 1
        }
        highest[k] = value
      }
      guard around <= Self.rank else { continue }
      let excess = own * sign - highest[Self.rank] - Self.tolerance
      guard excess > 0 else { continue }
      let weight = amount * edge(g.from(x), roots.stride)
      guard weight > 0 else { continue }
      let (u, v) = (max(sign * (r[x] - g[x]), 0), max(sign * (b[x] - g[x]), 0))
      guard u + v > 0 else { continue }
      // A fringe becomes neutral at most.
      let taken = min(2 * weight * excess / (u + v), 1) * sign
      (rows.red[x], rows.blue[x]) = (
        changed(rows.red[x], r[x], by: -taken * u), changed(rows.blue[x], b[x], by: -taken * v)
      )
    }
  }

  /// `value`, whose root is `root`, with the root changed.
  private func changed(_ value: Float, _ root: Float, by change: Float) -> Float {
    guard change != 0 else { return value }
    let next = max(root + change, 0)
    return next * next - Self.floor
  }
}
