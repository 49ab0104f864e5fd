/// Small systems of linear equations.
///
/// Source: Gaussian elimination with partial pivoting; least squares by the normal equations. A row
/// holds the coefficients of an equation, followed by its right side. Cost: n³/3 operations.
package enum LinearEquations {
  /// The solution of as many equations as unknowns; nil where they do not determine it, that is,
  /// where a pivot is below `minPivot` of the largest number.
  package static func solution(_ rows: [[Double]], minPivot: Double = 1e-14) -> [Double]? {
    var rows = rows
    let count = rows.count
    let largest = rows.joined().reduce(0) { max($0, abs($1)) }
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > minPivot * largest
      else { return nil }
      rows.swapAt(column, pivot)
      for row in column + 1..<count {
        let factor = rows[row][column] / rows[column][column]
        if factor == 0 { continue }
        for k in column...count { rows[row][k] -= factor * rows[column][k] }
      }
    }
    var x = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      let known = (row + 1..<count).reduce(0) { $0 + rows[row][$1] * x[$1] }
      x[row] = (rows[row][count] - known) / rows[row][row]
    }
    return x.allSatisfy(\.isFinite) ? x : nil
  }

  /// The least-squares solution of more equations than unknowns; nil where they do not determine
  /// it.
  package static func leastSquares(_ rows: [[Double]]) -> [Double]? {
    guard let count = rows.first.map({ $0.count - 1 }), rows.count >= count else { return nil }
    var normal = [[Double]](
      repeating: [Double](repeating: 0, count: count + 1), count: count)
    for row in rows {
      for i in 0..<count {
        for j in 0...count { normal[i][j] += row[i] * row[j] }
      }
    }
    return solution(normal)
  }
}
