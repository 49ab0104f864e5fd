/// The solution x of a square system A·x = b by Gaussian elimination with partial pivoting; nil
/// where A is singular to working precision. `rows` holds the rows of A, each followed by its b.
func solved(_ rows: [[Double]]) -> [Double]? {
  var rows = rows
  let count = rows.count
  let largest = rows.joined().reduce(0) { max($0, abs($1)) }
  for column in 0..<count {
    guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
      abs(rows[pivot][column]) > 1e-14 * largest
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

/// The least-squares solution of equations `rows`, each followed by its right side, by their normal
/// equations; nil where they do not determine it.
func leastSquares(_ rows: [[Double]]) -> [Double]? {
  guard let count = rows.first.map({ $0.count - 1 }), rows.count >= count else { return nil }
  var normal = [[Double]](
    repeating: [Double](repeating: 0, count: count + 1), count: count)
  for row in rows {
    for i in 0..<count {
      for j in 0...count { normal[i][j] += row[i] * row[j] }
    }
  }
  return solved(normal)
}

/// The middle of `values`; nil for none.
func median(_ values: [Double]) -> Double? {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return nil }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
