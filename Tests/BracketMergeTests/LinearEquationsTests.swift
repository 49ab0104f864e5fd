import Testing

@testable import BracketMerge

@Suite struct LinearEquationsTests {
  @Test func solutionsFit() throws {
    let matrix = [4.0, 1, 0, 1, 3, -1, 0, -1, 5]
    let x = try #require(LinearEquations.solve(matrix, [6, 4, 13]))
    for i in 0..<3 {
      let sum = (0..<3).reduce(0) { $0 + matrix[i * 3 + $1] * x[$1] }
      #expect(abs(sum - [6, 4, 13][i]) < 1e-12)
    }
  }

  @Test func whatIsNotDeterminedIsNil() {
    #expect(LinearEquations.solve([1, 1, 1, 1], [1, 1]) == nil)
    #expect(LinearEquations.solve([0, 0, 0, 0], [1, 1]) == nil)
  }
}
