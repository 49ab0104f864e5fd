import ImageCore

/// Where a ColorChecker Classic lies in a picture: the map of its patches, whose centers are
/// (column, row) from (0, 0), dark skin, to (5, 3), black.
package struct ChartPlacement: Sendable, Hashable {
  private let map: Homography
  /// How far patches lie from where the map puts them, by which lenses bend a chart; 0 where not
  /// known.
  private var offsets = [SIMD2<Double>](
    repeating: SIMD2(), count: ColorChecker.columns * ColorChecker.rows)

  /// The placement with the centers of dark skin, bluish green, black and white at these points, in
  /// that order, clockwise on the chart; nil where they do not form a quadrangle.
  package init?(corners: [SIMD2<Double>]) {
    guard corners.count == 4 else { return nil }
    // All turns have the same sign.
    let turns = (0..<4).map { i -> Double in
      let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4])
      return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    }
    guard turns.allSatisfy({ $0 > 1 }) || turns.allSatisfy({ $0 < -1 }) else { return nil }
    let (last, bottom) = (ColorChecker.columns - 1, ColorChecker.rows - 1)
    guard
      let map = Homography(
        from: [(0, 0), (last, 0), (last, bottom), (0, bottom)].map(Self.plane), to: corners)
    else { return nil }
    self.map = map
  }

  /// The placement with patches, by their index, at these points.
  init?(patches: [Int: SIMD2<Double>]) {
    let known = patches.sorted { $0.key < $1.key }
    let cells = known.map {
      Self.plane(($0.key % ColorChecker.columns, $0.key / ColorChecker.columns))
    }
    guard let map = Homography(from: cells, to: known.map(\.value)) else { return nil }
    self.map = map
    for ((index, point), cell) in zip(known, cells) { offsets[index] = point - map(cell) }
  }

  /// Chart coordinates about the origin, of size 1, as the map takes them.
  private static func plane(_ cell: (Int, Int)) -> SIMD2<Double> {
    plane(SIMD2(Double(cell.0), Double(cell.1)))
  }
  private static func plane(_ cell: SIMD2<Double>) -> SIMD2<Double> {
    (cell - SIMD2(2.5, 1.5)) / 2.5
  }

  /// The same in a picture whose pixels are `factor` times as many.
  package func scaled(by factor: Double) -> ChartPlacement? {
    let patches = (0..<offsets.count).map { ($0, center(of: $0) * factor) }
    return ChartPlacement(patches: Dictionary(uniqueKeysWithValues: patches))
  }

  /// The center of a patch.
  package func center(of patch: Int) -> SIMD2<Double> {
    let cell = (patch % ColorChecker.columns, patch / ColorChecker.columns)
    return map(Self.plane(cell)) + offsets[patch]
  }

  /// The centers of dark skin, bluish green, black and white.
  package var corners: [SIMD2<Double>] { [0, 5, 23, 18].map { center(of: $0) } }

  /// Columns and rows from one patch to the next, the shorter, in pixels.
  package var pitch: Double {
    func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }
    let pairs = [(0, 1), (4, 5), (18, 19), (22, 23), (0, 6), (12, 18), (5, 11), (17, 23)]
    return pairs.map { length(center(of: $0.0) - center(of: $0.1)) }.min() ?? 0
  }

  /// The chart coordinates of a point of the picture, without offsets; nil on the map's horizon.
  func cell(at point: SIMD2<Double>) -> SIMD2<Double>? {
    map.inverse(point).map { $0 * 2.5 + SIMD2(2.5, 1.5) }
  }

  /// The pixels of a picture within `reach`, in patches, of a point between patches or on one:
  /// chart coordinates, as (0.5, 0.5) between the first four.
  func pixels(
    around cell: SIMD2<Double>, reach: Double, in size: PixelSize
  ) -> [PixelPoint] {
    let offset = self.offset(at: cell)
    let edges = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
      map(Self.plane(cell + SIMD2($0.0, $0.1) * reach)) + offset
    }
    let xs = edges.map(\.x), ys = edges.map(\.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
      left.isFinite, right.isFinite, top.isFinite, bottom.isFinite,
      left >= 0, top >= 0, right <= Double(size.width), bottom <= Double(size.height)
    else { return [] }
    var points: [PixelPoint] = []
    for y in Int(top)...min(Int(bottom), size.height - 1) {
      for x in Int(left)...min(Int(right), size.width - 1) {
        guard let position = self.cell(at: SIMD2(Double(x) + 0.5, Double(y) + 0.5) - offset) else {
          continue
        }
        let away = position - cell
        if abs(away.x) <= reach, abs(away.y) <= reach { points.append(PixelPoint(x: x, y: y)) }
      }
    }
    return points
  }

  /// The offset there: the mean of the offsets of the patches around.
  private func offset(at cell: SIMD2<Double>) -> SIMD2<Double> {
    var (sum, count) = (SIMD2<Double>(), 0.0)
    for row in [cell.y.rounded(.down), cell.y.rounded(.up)] {
      for column in [cell.x.rounded(.down), cell.x.rounded(.up)] {
        let index = Int(row) * ColorChecker.columns + Int(column)
        guard offsets.indices.contains(index) else { continue }
        sum += offsets[index]
        count += 1
      }
    }
    return count > 0 ? sum / count : SIMD2()
  }
}
