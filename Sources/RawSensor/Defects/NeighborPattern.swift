import CKernels
import RawData

/// The four nearest photosites of the same filter for each column of the rows of a pattern, in the
/// form of `ck_nextPatternOutliers`: reduced to the shortest period, because a vector of eight
/// photosites in a row reads the neighbors of all columns.
struct NeighborPattern: Sendable {
  private struct Row {
    let near: [ck_neighbor]
    let columns: [Int32]
    let period: Int
  }

  private let rows: [Row]

  /// Nil for patterns that are too wide, and if a photosite has fewer than four neighbors.
  init?(_ cfa: CFA, _ neighbors: FilterNeighbors) {
    guard cfa.width <= ck_maxColumns else { return nil }
    var rows: [Row] = []
    for y in 0..<cfa.height {
      let near = (0..<cfa.width).map { x in
        neighbors.same(x: x, y: y).prefix(4).map { [$0.dx, $0.dy] }
      }
      guard near.allSatisfy({ $0.count == 4 }) else { return nil }
      let period =
        (1...cfa.width).first { period in
          cfa.width % period == 0
            && near.indices.allSatisfy { near[$0] == near[$0 % period] }
        } ?? cfa.width
      let columns: [Int32] = (0..<period).flatMap { column in
        (0..<Int(ck_columnLanes)).map { $0 % period == column ? -1 : 0 }
      }
      rows.append(
        Row(
          near: near[..<period].joined().map { ck_neighbor(dx: Int32($0[0]), dy: Int32($0[1])) },
          columns: columns, period: period))
    }
    self.rows = rows
  }

  /// Calls `body` with row `y` of the pattern and the pattern column of column `x`.
  func withRow(_ y: Int, _ x: Int, _ body: (ck_neighborPattern, _ column: Int64) -> Void) {
    let row = rows[floorModulo(y, rows.count)]
    row.near.withUnsafeBufferPointer { near in
      row.columns.withUnsafeBufferPointer { columns in
        body(
          ck_neighborPattern(
            near: near.baseAddress, columns: columns.baseAddress, period: Int64(row.period)),
          Int64(floorModulo(x, row.period)))
      }
    }
  }
}
