import ImageCore

/// Finds a ColorChecker Classic in a linear picture, turned and in perspective.
///
/// 1. The picture is looked at in three sizes, at four limits of evenness (``FlatAreas``): patches
///    are even, and the border between them is not.
/// 2. Areas of like size in rows and columns make grids (``ChartGrid``); ten patches are enough.
/// 3. A grid is the chart in one of its positions: all windows of 6 × 4 cells, and the four
///    rotations. For each, the 24 values under the map of the window (``ChartPlacement``) are
///    turned into XYZ by the best 3 × 3 matrix, and the mean ΔE00 from the chart's colors is its
///    score: a matrix makes the right colors of a camera in the right order, but not in a wrong
///    one.
/// 4. The best one is the chart if its score is below 12, the neutral row becomes darker from white
///    to black, and any position with another order of patches is at least 1.4 times as bad. Units:
///    pixels of the picture given. Known failures: charts of less than about 60 pixels; fewer than
///    10 visible patches; other charts than the Classic.
package enum ChartFinder {
  /// Why no chart was found.
  package enum Refusal: Error, Sendable, Hashable {
    /// No grid of areas at all.
    case noGrid
    /// Grids, of which the best has this score.
    case otherColors(Double)
  }

  /// Longer sides at which the picture is looked at.
  private static let sides = [420, 840, 1680]
  /// Evenness, in cube roots of white 1.
  private static let limits: [Float] = [0.03, 0.05, 0.08, 0.13]
  private static let minPatches = 10
  private static let acceptable = 12.0
  private static let advantage = 1.4

  /// The placement of the chart in `picture`.
  package static func placement(
    in picture: ChartPicture
  ) throws(Refusal) -> ChartPlacement {
    var best: Candidate?
    var sizes: Set<PixelSize> = []
    for side in sides {
      let longer = max(picture.size.width, picture.size.height)
      let factor = max((longer + side / 2) / side, 1)
      let small = picture.reduced(by: factor)
      guard sizes.insert(small.size).inserted else { continue }
      for limit in limits {
        let areas = FlatAreas.found(in: small, limit: limit)
        for grid in ChartGrid.found(in: areas, minimum: minPatches).prefix(6) {
          guard var found = candidate(grid, areas, small), found.score < best?.score ?? .infinity
          else { continue }
          found.factor = Double(factor)
          best = found
        }
      }
      if let best, best.isChart, let scaled = best.placement.scaled(by: best.factor) {
        return scaled
      }
    }
    throw best.map { .otherColors($0.score) } ?? .noGrid
  }

  private struct Candidate {
    var placement: ChartPlacement
    var score: Double
    /// The score of the next position in which most patches would change.
    var next: Double
    var isDarkening: Bool
    var factor = 1.0

    var isChart: Bool {
      score < acceptable && isDarkening && next > advantage * score
    }
  }

  /// The best position of the chart on a grid.
  private static func candidate(
    _ grid: ChartGrid, _ areas: [FlatArea], _ picture: ChartPicture
  ) -> Candidate? {
    let columns = grid.cells.keys.map(\.column), rows = grid.cells.keys.map(\.row)
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return nil }
    var found: [Candidate] = []
    for isUpright in [false, true] {
      let width = isUpright ? ColorChecker.rows : ColorChecker.columns
      let height = isUpright ? ColorChecker.columns : ColorChecker.rows
      let xs = min(left, right - width + 1)...max(left, right - width + 1)
      let ys = min(top, bottom - height + 1)...max(top, bottom - height + 1)
      for x in xs {
        for y in ys {
          for isTurned in [false, true] {
            var patches: [Int: SIMD2<Double>] = [:]
            for (cell, index) in grid.cells {
              let (i, j) = (cell.column - x, cell.row - y)
              guard (0..<width).contains(i), (0..<height).contains(j) else { continue }
              var (column, row) = isUpright ? (j, ColorChecker.rows - 1 - i) : (i, j)
              if isTurned {
                (column, row) = (ColorChecker.columns - 1 - column, ColorChecker.rows - 1 - row)
              }
              patches[row * ColorChecker.columns + column] = areas[index].center
            }
            guard patches.count >= minPatches, let placement = ChartPlacement(patches: patches),
              let scored = scored(placement, picture)
            else { continue }
            found.append(scored)
          }
        }
      }
    }
    found.sort { $0.score < $1.score }
    guard var best = found.first else { return nil }
    best.next = found.dropFirst().first?.score ?? .infinity
    return best
  }

  private static func scored(_ placement: ChartPlacement, _ picture: ChartPicture) -> Candidate? {
    var values: [SIMD3<Double>] = []
    for patch in 0..<ColorChecker.columns * ColorChecker.rows {
      let cell = SIMD2(
        Double(patch % ColorChecker.columns), Double(patch / ColorChecker.columns))
      let points = placement.pixels(around: cell, reach: 0.18, in: picture.size)
      guard !points.isEmpty else { return nil }
      let sum = points.reduce(into: SIMD3<Double>()) {
        $0 += SIMD3<Double>(picture[$1.x, $1.y])
      }
      values.append(sum / Double(points.count))
    }
    let neutrals = ColorChecker.neutrals.map { values[$0].y }
    let isDarkening = zip(neutrals, neutrals.dropFirst()).allSatisfy { $0 > $1 }
    let reference = ColorChecker.after2014
    let patches = CameraMatrixFit.patches(values, reference)
    guard let matrix = CameraMatrixFit.unconstrained(patches) else { return nil }
    let differences = zip(patches, reference.lab).map { patch, lab in
      ColorDifference(lab, LabColor(matrix * patch.camera)).value
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    return Candidate(
      placement: placement, score: mean, next: .infinity, isDarkening: isDarkening)
  }
}
