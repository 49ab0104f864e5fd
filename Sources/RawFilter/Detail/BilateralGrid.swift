import ImageCore

/// The base layer of a plane of log luminance: its large-scale part, with edges as steep as in the
/// plane.
///
/// Source: bilateral grid (Chen, Paris & Durand 2007), with a range kernel of finite support.
/// Samples are added to the eight nodes around them, `cell` samples and `bin` stops apart; blurred
/// by 1-2-1 in both directions and by a box of five in range; divided by the number of samples
/// there, at any luminance:
///
///     base = (Σ w L + ρ L₀) / (Σ w + ρ),   L₀ the node's own luminance, ρ = `ownWeight`
///
/// and interpolated between the nodes. Samples that differ by more than 0.4 stops do not influence
/// each other: flat parts beside a higher step stay flat to 10⁻³ stops, where a local Laplacian,
/// which preserves small differences on all scales, tilts them by a tenth. ρ makes an isolated
/// sample its own base. Steps of 0.25 stops and less are treated as texture on a slope. Units:
/// stops, finite. Whole planes only; cost: some 40 operations per sample.
struct BilateralGrid {
  static let cell = 16
  static let bin: Float = 0.1
  static let ownWeight: Float = 0.03
  /// Bins of the kernel beyond the darkest and the brightest sample.
  private static let reach = 3

  private let columns: Int
  private let rows: Int
  private let bins: Int
  /// Luminance of the first bin, in bins.
  private let first: Float
  /// The bins of each cell corner, row by row.
  private var bases: [Float]

  init(_ stops: TilePlane) {
    let rect = stops.rect
    var (low, high) = (Float.infinity, -Float.infinity)
    for y in rect.y..<rect.endY {
      for x in 0..<rect.width {
        low = min(low, stops.row(y)[x])
        high = max(high, stops.row(y)[x])
      }
    }
    if rect.isEmpty { (low, high) = (0, 0) }
    first = (low / Self.bin).rounded(.down) - Float(Self.reach)
    bins = Int((high / Self.bin).rounded(.down) - first) + 2 + Self.reach
    columns = max(rect.width - 1, 0) / Self.cell + 2
    rows = max(rect.height - 1, 0) / Self.cell + 2
    bases = []
    var weights = [Float](repeating: 0, count: columns * rows * bins)
    var sums = weights
    forEachCorner(
      of: stops, row: { _ in },
      { _, _, level, node, weight in
        weights[node] += weight
        sums[node] += weight * level
      })
    for step in [bins, columns * bins] {
      blur(&weights, step)
      blur(&sums, step)
    }
    bases = divide(sums, by: weights)
  }

  /// Writes the base of each sample of `stops`, the plane that the grid was made of.
  func slice(_ stops: TilePlane, into out: TilePlane) {
    for y in stops.rect.y..<stops.rect.endY {
      out.row(y).update(repeating: 0, count: stops.rect.width)
    }
    forEachCorner(
      of: stops, row: { out.row($0) },
      { row, x, _, node, weight in row[x] += weight * bases[node] })
  }

  /// Calls `body` for each sample and each of the eight nodes around it, with the trilinear weight
  /// and the result of `begin` for the row.
  @inline(__always)
  private func forEachCorner<Row>(
    of stops: TilePlane, row begin: (_ y: Int) -> Row,
    _ body: (Row, _ x: Int, _ level: Float, _ node: Int, _ weight: Float) -> Void
  ) {
    let rect = stops.rect
    let scale = 1 / Float(Self.cell)
    for y in 0..<rect.height {
      let values = stops.row(rect.y + y)
      let begun = begin(rect.y + y)
      let down = (Float(y) + 0.5) * scale
      let (row, below) = (Int(down), down - Float(Int(down)))
      for x in 0..<rect.width {
        let right = (Float(x) + 0.5) * scale
        let (column, beside) = (Int(right), right - Float(Int(right)))
        let height = values[x] / Self.bin - first
        let (layer, above) = (Int(height), height - Float(Int(height)))
        let node = ((row &* columns) &+ column) &* bins &+ layer
        for corner in 0..<8 {
          let (i, j, k) = (corner & 1, corner >> 1 & 1, corner >> 2)
          let weight =
            (i == 0 ? 1 - beside : beside) * (j == 0 ? 1 - below : below)
            * (k == 0 ? 1 - above : above)
          body(begun, x, values[x], node &+ (j &* columns &+ i) &* bins &+ k, weight)
        }
      }
    }
  }

  /// 1-2-1 between nodes `step` values apart, edges repeated.
  private func blur(_ values: inout [Float], _ step: Int) {
    let source = values
    let (line, count) = step == bins ? (columns, rows) : (rows, columns)
    let across = step == bins ? columns * bins : bins
    for other in 0..<count {
      for position in 0..<line {
        let here = other * across + position * step
        let before = position > 0 ? here - step : here
        let behind = position < line - 1 ? here + step : here
        for bin in 0..<bins {
          values[here &+ bin] =
            source[here &+ bin] * 0.5 + (source[before &+ bin] + source[behind &+ bin]) * 0.25
        }
      }
    }
  }

  private func divide(_ sums: [Float], by weights: [Float]) -> [Float] {
    var bases = [Float](repeating: 0, count: sums.count)
    for node in 0..<columns * rows {
      let start = node * bins
      let all = max(weights[start..<start + bins].reduce(0, +), .leastNormalMagnitude)
      for bin in 0..<bins {
        var (sum, weight): (Float, Float) = (0, 0)
        for near in max(bin - 2, 0)...min(bin + 2, bins - 1) {
          sum += sums[start &+ near]
          weight += weights[start &+ near]
        }
        let own = (first + Float(bin)) * Self.bin
        bases[start + bin] = (sum / all + Self.ownWeight * own) / (weight / all + Self.ownWeight)
      }
    }
    return bases
  }
}
