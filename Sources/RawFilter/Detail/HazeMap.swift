import CKernels
import CVector
import ImageCore

/// How much of a picture's light is that of the air before it, at low resolution
/// (``ChangeLines``), and the color of that light.
///
/// Source: the dark channel prior (He, Sun & Tang 2009, 2011). A pixel is I = J · t + A · (1 − t),
/// J the scene, A the light of the air, t what comes through it. Without air something in every
/// surrounding is black in one channel, so
///
///     1 − t = ω · max of min over a window of the smallest channel of I / A
///
/// with means of squares of a ``LuminanceProxy`` as I, windows of 15 × 15 of them, ω = 0.9. The
/// maximum behind the minimum (an opening) is ours: the minimum alone takes the window around
/// everything dark for free of air, which leaves a glow along roofs in front of a sky. A is
/// the mean of those thousandth of the squares of which the dark channel is highest, its
/// saturation halved. Lines over the luminance are fitted to 1 − t (He's guided filter), so it ends
/// at edges that the squares do not resolve. Scene-linear, 1.0 = reference white. Independent of
/// the amount. Known failures: those of the prior, a white wall is taken for haze, as is a
/// clear sky near the horizon; where nothing is as bright as the air, A is too dark.
struct HazeMap: Sendable {
  /// ω.
  static let part: Float = 0.9
  /// Squares to each side of a window.
  static let radius = 7
  static let windows = ChangeLines.Windows(
    radius: 5, meanRadius: 3, epsilon: 0.01, slopeLimit: 0.5)
  /// What the air is where nothing shows it.
  static let gray: Float = 0.5

  let lines: ChangeLines
  /// The light of the air.
  let air: SIMD3<Float>

  /// `source`: the picture of `proxy`.
  init(
    _ source: any PixelSource<SceneLinear>, _ proxy: LuminanceProxy,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let means = try Self.means(source, proxy, workers: workers)
    let size = proxy.size
    let (dark, rows) = (TilePlane(), TilePlane())
    try dark.reshape(PixelRect(size))
    func fillDark(_ scale: SIMD3<Float>) {
      for y in 0..<size.height {
        let (from, out) = (means.rows(y), dark.row(y))
        for x in 0..<size.width {
          out[x] = max(
            min(from.red[x] * scale.x, from.green[x] * scale.y, from.blue[x] * scale.z), 0)
        }
      }
    }
    fillDark(.one)
    try dark.open(radius: Self.radius, rows)
    air = Self.air(dark, means)
    fillDark(1 / air)
    try dark.open(radius: Self.radius, rows)
    for y in 0..<size.height {
      let row = dark.row(y)
      for x in vectors(size.width) {
        row.setLanes(x, cv_clamp8(row.lanes(x) * Self.part, .zero, .one))
      }
    }
    lines = try ChangeLines(proxy, dark, over: try proxy.stops(), Self.windows)
  }

  /// Means of squares of pixels.
  private static func means(
    _ source: any PixelSource<SceneLinear>, _ proxy: LuminanceProxy, workers: Int
  ) throws(PixelError) -> PlanarBuffer {
    let (cell, width) = (proxy.cell, source.size.width)
    let means = try PlanarBuffer(size: proxy.size)
    _ = try LuminanceProxy.bands(of: source, cell, proxy.size, workers: workers) {
      pixels, squares in
      for (row, rows) in squares {
        for plane in 0..<3 {
          let out = means.row(plane, row)
          for x in 0..<proxy.size.width {
            let end = min((x + 1) * cell, width)
            var sum: Float = 0
            for y in rows {
              let line = pixels.row(plane, y)
              for i in x * cell..<end { sum += line[i] }
            }
            out[x] = sum / Float(rows.count * (end - x * cell))
          }
        }
      }
    }
    return means
  }

  /// The mean color of the places where `dark` is highest, its saturation halved.
  private static func air(_ dark: TilePlane, _ means: PlanarBuffer) -> SIMD3<Float> {
    var values: [Float] = []
    values.reserveCapacity(means.size.area)
    for y in 0..<means.size.height {
      for x in 0..<means.size.width { values.append(dark.row(y)[x]) }
    }
    values.sort()
    guard let top = values.dropLast(values.count / 1000).last, top > gray / 64 else {
      return SIMD3(repeating: gray)
    }
    var (sum, count) = (SIMD3<Double>.zero, 0.0)
    for y in 0..<means.size.height {
      let (row, colors) = (dark.row(y), means.rows(y))
      for x in 0..<means.size.width where row[x] >= top {
        sum += SIMD3(Double(colors.red[x]), Double(colors.green[x]), Double(colors.blue[x]))
        count += 1
      }
    }
    let color = SIMD3<Float>(sum / max(count, 1))
    let bright = SIMD3(repeating: color.max())
    return (color + bright) / 2
  }
}

extension TilePlane {
  /// Replaces each sample by the highest in the square around it of the lowest in the square around
  /// each; `rows` is scratch.
  func open(radius: Int, _ rows: TilePlane) throws(PixelError) {
    try extreme(radius: radius, rows) { cv_min8($0, $1) }
    try extreme(radius: radius, rows) { cv_max8($0, $1) }
  }

  /// Replaces each sample by the extreme of the square around it.
  private func extreme(
    radius: Int, _ rows: TilePlane, _ pick: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
  ) throws(PixelError) {
    precondition(radius <= Self.margin - 8, "a window wider than the margins")
    try rows.reshape(rect)
    let (width, height) = (rect.width, rect.height)
    for y in 0..<height {
      let (from, out) = (row(rect.y + y), rows.row(rect.y + y))
      for k in 1...radius { (from[-k], from[width - 1 + k]) = (from[0], from[width - 1]) }
      for x in vectors(width) {
        var best = from.lanes(x)
        for k in 1...radius { best = pick(pick(best, from.lanes(x &- k)), from.lanes(x &+ k)) }
        out.setLanes(x, best)
      }
    }
    for y in 0..<height {
      let out = row(rect.y + y)
      for x in vectors(width) {
        var best = rows.row(rect.y + y).lanes(x)
        for near in max(y - radius, 0)...min(y + radius, height - 1) {
          best = pick(best, rows.row(rect.y + near).lanes(x))
        }
        out.setLanes(x, best)
      }
    }
  }
}
