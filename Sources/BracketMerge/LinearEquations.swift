/// Small systems of linear equations.
///
/// Source: Cholesky's factorization of a symmetric positive matrix. Returns nil where a pivot shows
/// that the equations do not determine the unknowns.
enum LinearEquations {
  /// Smallest pivot, as a fraction of the largest element of the diagonal.
  private static let leastPivot = 1e-10

  /// The solution of `matrix` · x = `vector`, the matrix row by row.
  static func solve(_ matrix: [Double], _ vector: [Double]) -> [Double]? {
    let n = vector.count
    let largest = (0..<n).map { matrix[$0 * n + $0] }.max() ?? 0
    guard largest > 0 else { return nil }
    var factor = matrix
    for i in 0..<n {
      for j in 0...i {
        var sum = matrix[i * n + j]
        for k in 0..<j { sum -= factor[i * n + k] * factor[j * n + k] }
        if i == j {
          guard sum > leastPivot * largest else { return nil }
          factor[i * n + i] = sum.squareRoot()
        } else {
          factor[i * n + j] = sum / factor[j * n + j]
        }
      }
    }
    var x = vector
    for i in 0..<n {
      for k in 0..<i { x[i] -= factor[i * n + k] * x[k] }
      x[i] /= factor[i * n + i]
    }
    for i in (0..<n).reversed() {
      for k in i + 1..<n { x[i] -= factor[k * n + i] * x[k] }
      x[i] /= factor[i * n + i]
    }
    return x
  }
}
