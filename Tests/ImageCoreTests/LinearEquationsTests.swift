import ImageCore
import Testing

@Suite struct LinearEquationsTests {
  @Test func solutionsFit() throws {
    // The first pivot is not on the diagonal.
    let rows: [[Double]] = [[0, 1, 2, 6], [1, 3, -1, 4], [4, -1, 5, 13]]
    let x = try #require(LinearEquations.solution(rows))
    for row in rows {
      let sum = (0..<3).reduce(0) { $0 + row[$1] * x[$1] }
      #expect(abs(sum - row[3]) < 1e-12)
    }
  }

  @Test func whatIsNotDeterminedIsNil() {
    #expect(LinearEquations.solution([[1, 1, 1], [1, 1, 1]]) == nil)
    #expect(LinearEquations.solution([[0, 0, 1], [0, 0, 1]]) == nil)
    #expect(LinearEquations.solution([[1, 0, 1], [0, 1e-12, 1]], minPivot: 1e-10) == nil)
    #expect(LinearEquations.leastSquares([[1, 2, 3]]) == nil)
  }

  @Test func leastSquaresFitALine() throws {
    // y = 2 x + 1, with errors whose sum and slope are 0.
    let errors = [0.1, -0.2, 0.1]
    let rows = (0..<3).map { [Double($0), 1, 2 * Double($0) + 1 + errors[$0]] }
    let x = try #require(LinearEquations.leastSquares(rows))
    #expect(abs(x[0] - 2) < 1e-12 && abs(x[1] - 1) < 1e-12)
  }
}
