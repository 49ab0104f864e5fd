import Testing

@testable import BracketMerge

@Suite struct FixedPointAccelerationTests {
  /// An iteration that goes a fifth of the way each time.
  @Test func slowConvergenceIsSkipped() {
    var faster = FixedPointAcceleration(measured: 2)
    var x = [0.0, 0.0]
    let limit = [3.0, -2.0]
    for _ in 0..<3 {
      let step = faster.step((0..<2).map { 0.2 * (limit[$0] - x[$0]) })
      for i in 0..<2 { x[i] += step[i] }
    }
    // Without it a half would be left.
    #expect(abs(x[0] - 3) < 1e-9 && abs(x[1] + 2) < 1e-9)
  }

  @Test func nothingMovesAtTheLimit() {
    var faster = FixedPointAcceleration(measured: 2)
    #expect(faster.step([0, 0, 0]) == [0, 0, 0])
    #expect(faster.step([0, 0, 0]) == [0, 0, 0])
  }
}
