import ImageCore

/// Areas in rows and columns, as patches of a chart lie.
///
/// From a seed with two neighbors of its size, which make a first pair of steps, the grid grows to
/// each side: the next area is the nearest to the end of the last step, within 0.3 of it, and its
/// own step is used from there on, so that steps become shorter in perspective. Known failure: a
/// chart of which most patches are hidden or joined with their neighbors.
struct ChartGrid: Sendable {
  /// A cell of the grid; columns and rows in the order of the picture's axes, right-handed.
  struct Cell: Hashable, Sendable {
    var column: Int
    var row: Int
  }

  /// The area at each cell, as an index.
  var cells: [Cell: Int]

  /// The grids of at least `minimum` of `areas`, the fullest first.
  static func found(in areas: [FlatArea], minimum: Int) -> [ChartGrid] {
    let areas = Array(areas.prefix(600))
    let near = areas.indices.map { neighbors(of: $0, in: areas) }
    var covered = [Bool](repeating: false, count: areas.count)
    var grids: [ChartGrid] = []
    for seed in areas.indices where !covered[seed] {
      var best: ChartGrid?
      for a in near[seed].prefix(8) {
        for b in near[seed].prefix(8) where a != b {
          let (u, v) = (areas[a].center - areas[seed].center, areas[b].center - areas[seed].center)
          let (lu, lv) = (length(u), length(v))
          // Right-handed, no diagonal, and not more oblong than perspective allows.
          guard u.x * v.y - u.y * v.x > 0.75 * lu * lv, lu < 2.2 * lv, lv < 2.2 * lu else {
            continue
          }
          let grid = grown(from: seed, u, v, areas, near)
          if grid.fitting > best?.fitting ?? 0 { best = grid }
        }
      }
      guard let best, best.cells.count >= minimum else { continue }
      // Fewer may be a wrong start, after which others are to be tried.
      if best.fitting >= 16 { for index in best.cells.values { covered[index] = true } }
      grids.append(best)
    }
    return grids.sorted { $0.cells.count > $1.cells.count }
  }

  /// Cells that the fullest window of a chart holds: a grid along diagonals has as many cells, but
  /// they lie aslant.
  private var fitting: Int {
    let sides = [
      (ColorChecker.columns, ColorChecker.rows), (ColorChecker.rows, ColorChecker.columns),
    ]
    let (columns, rows) = (Set(cells.keys.map(\.column)), Set(cells.keys.map(\.row)))
    var maximum = 0
    for (width, height) in sides {
      for left in columns {
        for top in rows {
          let count = cells.keys.count {
            $0.column >= left && $0.column < left + width && $0.row >= top && $0.row < top + height
          }
          maximum = max(maximum, count)
        }
      }
    }
    return maximum
  }

  private static func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }

  /// The areas of about the same size around one, nearest first.
  private static func neighbors(of index: Int, in areas: [FlatArea]) -> [Int] {
    let (center, area) = (areas[index].center, areas[index].area)
    let reach = 3.2 * area.squareRoot() + 6
    return areas.indices.filter {
      $0 != index && areas[$0].area < 2.8 * area && area < 2.8 * areas[$0].area
        && length(areas[$0].center - center) < reach
    }.sorted { length(areas[$0].center - center) < length(areas[$1].center - center) }
  }

  private static func grown(
    from seed: Int, _ u: SIMD2<Double>, _ v: SIMD2<Double>, _ areas: [FlatArea], _ near: [[Int]]
  ) -> ChartGrid {
    var cells = [Cell(column: 0, row: 0): seed]
    var used: Set<Int> = [seed]
    var queue: [(Cell, SIMD2<Double>, SIMD2<Double>)] = [(Cell(column: 0, row: 0), u, v)]
    var next = 0
    while next < queue.count, cells.count < 64 {
      let (cell, u, v) = queue[next]
      next += 1
      guard let here = cells[cell] else { continue }
      for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let next = Cell(column: cell.column + dx, row: cell.row + dy)
        guard cells[next] == nil else { continue }
        let step = u * Double(dx) + v * Double(dy)
        let target = areas[here].center + step
        let found = near[here].filter { !used.contains($0) }.min {
          length(areas[$0].center - target) < length(areas[$1].center - target)
        }
        guard let found, length(areas[found].center - target) < 0.3 * length(step) else {
          continue
        }
        cells[next] = found
        used.insert(found)
        let moved = areas[found].center - areas[here].center
        queue.append(
          (next, dx == 0 ? u : moved * Double(dx), dy == 0 ? v : moved * Double(dy)))
      }
    }
    return ChartGrid(cells: cells)
  }
}
