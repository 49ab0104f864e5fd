/// Symmetric positive definite equations whose coefficients lie near the diagonal, as in spline
/// fits on a lattice.
///
/// Source: Cholesky's factors L Lᵀ, row by row within the band. Sums are taken in one order, so
/// that every processor makes the same bits. Cost: n b² / 2 operations for n unknowns and b of them
/// beside the diagonal.
package struct BandedEquations {
  package let count: Int
  /// Coefficients beside the diagonal, on each side.
  package let width: Int
  /// Row by row: the coefficients before the diagonal, then the diagonal.
  private var lower: [Double]

  /// All coefficients 0.
  package init(count: Int, width: Int) {
    (self.count, self.width) = (count, width)
    lower = [Double](repeating: 0, count: count * (width + 1))
  }

  /// Adds to the coefficient in `row` and `column`, which is `row` or up to `width` before it.
  package mutating func add(_ value: Double, _ row: Int, _ column: Int) {
    lower[row * (width + 1) + width - row + column] += value
  }

  /// Adds the equation Σ coefficient · x = anything at `weight` to the normal equations.
  package mutating func add(_ terms: [(index: Int, value: Double)], weight: Double) {
    for a in terms {
      for b in terms where b.index <= a.index { add(weight * a.value * b.value, a.index, b.index) }
    }
  }

  /// The solutions for several right sides; nil where the equations have none.
  package func solutions(_ sides: [[Double]]) -> [[Double]]? {
    var factors = lower
    let isPositive = factors.withUnsafeMutableBufferPointer { l in
      for row in 0..<count {
        // Indices of row r, column c: start(r) + c.
        let start = row * width + width
        for column in max(0, row - width)...row {
          let other = column * width + width
          let sum =
            l[start + column]
            - Self.dot(
              l, start, other, max(0, row - width, column - width)..<column)
          if column < row {
            l[start + column] = sum / l[other + column]
          } else {
            guard sum > 0, sum.isFinite else { return false }
            l[start + column] = sum.squareRoot()
          }
        }
      }
      return true
    }
    guard isPositive else { return nil }
    return sides.map { side in
      var x = side
      for row in 0..<count {
        let start = row * width + width
        for column in max(0, row - width)..<row { x[row] -= factors[start + column] * x[column] }
        x[row] /= factors[start + row]
      }
      for row in (0..<count).reversed() {
        let start = row * width + width
        x[row] /= factors[start + row]
        for column in max(0, row - width)..<row { x[column] -= factors[start + column] * x[row] }
      }
      return x
    }
  }

  private static func dot(
    _ l: UnsafeMutableBufferPointer<Double>, _ a: Int, _ b: Int, _ columns: Range<Int>
  ) -> Double {
    var (s0, s1, s2, s3) = (0.0, 0.0, 0.0, 0.0)
    var k = columns.lowerBound
    while k + 4 <= columns.upperBound {
      s0 += l[a + k] * l[b + k]
      s1 += l[a + k + 1] * l[b + k + 1]
      s2 += l[a + k + 2] * l[b + k + 2]
      s3 += l[a + k + 3] * l[b + k + 3]
      k += 4
    }
    while k < columns.upperBound {
      s0 += l[a + k] * l[b + k]
      k += 1
    }
    return (s0 + s1) + (s2 + s3)
  }
}
