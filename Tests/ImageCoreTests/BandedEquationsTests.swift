import ImageCore
import Testing

@Suite struct BandedEquationsTests {
  /// The same as by elimination, and nothing where there is no solution.
  @Test func solvesWhatEliminationSolves() throws {
    let (count, width) = (23, 5)
    var banded = BandedEquations(count: count, width: width)
    var full = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
    for row in 0..<count {
      let terms = (max(0, row - width)...row).map { column in
        (index: column, value: Double((row * 7 + column * 3) % 11) - 4.5)
      }
      banded.add(terms, weight: 0.5)
      banded.add(0.3, row, row)
      full[row][row] += 0.3
      for a in terms { for b in terms { full[a.index][b.index] += 0.5 * a.value * b.value } }
      full[row][count] = Double(row % 5) - 2
    }
    let expected = try #require(LinearEquations.solution(full))
    let side = full.map { $0[count] }
    let found = try #require(banded.solutions([side, side]))
    for x in found {
      for (a, b) in zip(x, expected) { #expect(abs(a - b) < 1e-9 * max(1, abs(b))) }
    }
    #expect(BandedEquations(count: 3, width: 1).solutions([[1, 1, 1]]) == nil)
  }
}
