import CKernels
import CVector
import ImageCore

/// The fraction of airlight in a picture at low resolution (``ChangeLines``), and its color.
///
/// Source: the dark channel prior (He, Sun & Tang 2009, 2011). A pixel is I = J · t + A · (1 − t),
/// J the scene, A the airlight, t the transmission. Without haze every neighborhood has a pixel
/// that is black in one channel, so
///
///     1 − t = ω · max of min over a window of the smallest channel of I / A
///
/// with means of squares of a ``LuminanceProxy`` as I, windows of 15 × 15 of them, ω = 0.9. The
/// maximum behind the minimum (an opening) is ours: the minimum alone treats the whole window
/// around every dark object as free of haze, which leaves a glow along roofs in front of a sky. A
/// is the mean of the thousandth of the squares with the highest dark channel, its saturation
/// halved. Lines over the luminance are fitted to 1 − t (He's guided filter), so it follows edges
/// that the squares do not resolve. Scene-linear, 1.0 = reference white. Independent of the amount.
/// Known failures, of the prior: a white wall is mistaken for haze, as is a clear sky near the
/// horizon; if nothing is as bright as the airlight, A is too dark.
struct HazeMap: Sendable {
  /// ω.
  static let part: Float = 0.9
  /// Squares to each side of a window.
  static let radius = 7
  static let windows = ChangeLines.Windows(
    radius: 5, meanRadius: 3, epsilon: 0.01, slopeLimit: 0.5)
  /// Airlight of pictures without haze.
  static let gray: Float = 0.5

  let lines: ChangeLines
  /// The airlight.
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

  /// The mean color of the squares with the highest `dark`, its saturation halved.
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
  /// Morphological opening: the maximum over a square of the minimum over a square; `rows` is
  /// scratch.
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
