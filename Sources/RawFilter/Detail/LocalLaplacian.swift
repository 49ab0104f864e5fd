import CVector
import ImageCore

/// Compresses the range of a plane of stops and keeps its detail: fast local Laplacian filter.
///
/// Source: Aubry, Paris, Hasinoff, Kautz & Durand 2014. For grey levels g, `step` stops apart, the
/// plane is remapped, small differences kept and large ones compressed,
///
///     r(L) = g + d + β (L − g − d),   d = clamp(L − g, −σ, σ),
///
/// and its Laplacian pyramid made; each output coefficient is interpolated between those of the two
/// levels that bracket the Gaussian pyramid's value there. The rest at the top is compressed by β
/// about `middle`. σ = 0.25 stops, levels 0.5 stops apart, β = 0.55. Output keeps the order of a
/// step's two sides; on a staircase of large steps the flat parts tilt against it by (1 − β) σ =
/// 0.11 stops each, the price of keeping what is below σ: hence a σ that only just holds texture.
/// Whole planes only. Known failure: the interpolation between levels is exact at them only.
struct LocalLaplacian {
  static let sigma: Float = 0.25
  static let step: Float = 0.5
  static let beta: Float = 0.55

  /// The filtered plane, in the first level of the returned pyramid. `stops` must be finite.
  static func filter(_ stops: TilePlane, middle: Float) -> GaussianPyramid {
    let size = stops.rect.size
    let input = GaussianPyramid(size)
    let (remapped, output) = (GaussianPyramid(size), GaussianPyramid(size))
    var (low, high) = (Float.infinity, -Float.infinity)
    for y in 0..<size.height {
      input.levels[0].row(y).update(from: stops.row(y), count: size.width)
      for x in 0..<size.width {
        low = min(low, stops.row(y)[x])
        high = max(high, stops.row(y)[x])
      }
    }
    input.build()
    let lines = TilePlane()
    lines.place(PixelRect(x: 0, y: 0, width: size.width, height: 2))
    let top = input.levels.count - 1
    for level in 0..<top { clear(output.levels[level]) }
    // Levels stand at whole multiples of the step, so that a picture a little brighter is treated alike.
    let first = Int((low / step).rounded(.down))
    let last = Int((high / step).rounded(.up))
    for index in first...max(last, first) {
      let grey = Float(index) * step
      remap(stops, about: grey, into: remapped.levels[0])
      remapped.build()
      for level in 0..<top { add(remapped, input, level, grey, to: output, lines) }
    }
    let (rest, out) = (input.levels[top], output.levels[top])
    for y in 0..<rest.rect.height {
      for x in 0..<rest.rect.width {
        out.row(y)[x] = middle + beta * (rest.row(y)[x] - middle)
      }
    }
    for level in stride(from: top - 1, through: 0, by: -1) {
      collapse(output.levels[level + 1], onto: output.levels[level], lines)
    }
    return output
  }

  private static func clear(_ plane: TilePlane) {
    for y in 0..<plane.rect.height { plane.row(y).update(repeating: 0, count: plane.rect.width) }
  }

  private static func remap(_ plane: TilePlane, about grey: Float, into out: TilePlane) {
    let (low, high) = (SIMD8<Float>(repeating: -sigma), SIMD8<Float>(repeating: sigma))
    for y in 0..<plane.rect.height {
      let (from, to) = (plane.row(y), out.row(y))
      var i = 0
      while i < plane.rect.width {
        let difference = from.lanes(i) - grey
        let kept = cv_clamp8(difference, low, high)
        to.setLanes(i, kept + (difference - kept) * beta + grey)
        i &+= 8
      }
    }
  }

  /// Adds the share that the coefficients about `grey` have in the output.
  private static func add(
    _ remapped: GaussianPyramid, _ input: GaussianPyramid, _ level: Int, _ grey: Float,
    to output: GaussianPyramid, _ lines: TilePlane
  ) {
    let (fine, guide, out) = (
      remapped.levels[level], input.levels[level], output.levels[level]
    )
    let width = fine.rect.width
    for y in 0..<fine.rect.height {
      let smooth = GaussianPyramid.expand(
        remapped.levels[level + 1], y, width: width, lines)
      let (values, guides, sums) = (fine.row(y), guide.row(y), out.row(y))
      var i = 0
      while i < width {
        let distance = cv_abs8(guides.lanes(i) - grey) * (1 / step)
        let share = cv_max8(1 - distance, .zero)
        sums.setLanes(i, sums.lanes(i) + (values.lanes(i) - smooth.lanes(i)) * share)
        i &+= 8
      }
    }
  }

  private static func collapse(_ coarse: TilePlane, onto fine: TilePlane, _ lines: TilePlane) {
    for y in 0..<fine.rect.height {
      let smooth = GaussianPyramid.expand(coarse, y, width: fine.rect.width, lines)
      let row = fine.row(y)
      var i = 0
      while i < fine.rect.width {
        row.setLanes(i, row.lanes(i) + smooth.lanes(i))
        i &+= 8
      }
    }
  }
}
