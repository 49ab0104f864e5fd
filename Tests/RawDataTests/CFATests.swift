import ImageCore
import RawData
import Testing

@Suite struct CFATests {
  static let xTrans: [UInt8] = [
    1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1,
    1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
  ]

  @Test(arguments: [
    ([0, 1, 1, 2], CFA.Kind.bayer), ([1, 0, 2, 1], .bayer), ([2, 1, 1, 0], .bayer),
    // Two greens side by side, two colors, four.
    ([1, 1, 0, 2], .other), ([0, 1, 1, 0], .other), ([0, 1, 3, 2], .fourColor),
  ])
  func squaresOfTwoHaveTheirFamily(_ channels: [UInt8], _ kind: CFA.Kind) {
    #expect(CFA(width: 2, height: 2, channels: channels).kind == kind)
  }

  @Test func squaresOfSixAreXTransByTheirCounts() {
    #expect(CFA(width: 6, height: 6, channels: Self.xTrans).kind == .xTrans)
    #expect(CFA(width: 6, height: 6, channels: Array(Self.xTrans.reversed())).kind == .xTrans)
    #expect(CFA(width: 4, height: 9, channels: Self.xTrans).kind == .other)
  }

  /// A non-square pattern reveals swapped width and height.
  @Test func shiftedPatternsBeginThere() {
    let pattern = CFA(width: 3, height: 2, channels: [0, 1, 2, 3, 1, 0])
    for (x, y) in [(0, 0), (1, 0), (2, 1), (7, 5)] {
      let shifted = pattern.shifted(x: x, y: y)
      for row in 0..<4 {
        for column in 0..<6 {
          #expect(
            shifted.channel(x: column, y: row) == pattern.channel(x: x + column, y: y + row))
        }
      }
    }
  }
}
