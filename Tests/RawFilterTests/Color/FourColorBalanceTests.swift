import ImageCore
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct FourColorBalanceTests {
  /// XYZ to the four channels of an imagined RGBE camera.
  static let matrix: [SIMD3<Double>] = [
    SIMD3(0.8, -0.1, -0.05), SIMD3(-0.3, 1.1, 0.2), SIMD3(0.02, 0.1, 0.7), SIMD3(-0.2, 0.8, 0.35),
  ]

  /// The pseudo-inverse of the matrix: camera values to XYZ, three rows of four.
  static let reduction: [Double] = {
    var square = Matrix3(diagonal: SIMD3(0, 0, 0))
    for i in 0..<3 { for j in 0..<3 { square[i, j] = matrix.reduce(0) { $0 + $1[i] * $1[j] } } }
    let inverse = square.inverse ?? .identity
    let columns = matrix.map { inverse * $0 }
    return (0..<3).flatMap { row in columns.map { $0[row] } }
  }()

  @Test func neutralsAndColorsComeOutRight() throws {
    let white = SIMD3(0.9, 1.0, 0.8)
    let balance = try #require(FourColorBalance(reduction: Self.reduction, neutral: white))
    #expect(abs(balance.gains.min() - 1) < 1e-6)
    // A gray becomes four equal channels and then three of the same size; any color becomes its
    // XYZ divided by the white's, in the same scale.
    let top = Self.matrix.map { ($0 * white).sum() }.max() ?? 0
    for color in [white, white * 0.3, SIMD3(0.2, 0.4, 0.1), SIMD3(0.5, 0.3, 0.6)] {
      let camera = Self.matrix.map { ($0 * color).sum() / top }
      let balanced = (0..<4).map { camera[$0] * Double(balance.gains[$0]) }
      for row in 0..<3 {
        let value = (0..<4).reduce(0) { $0 + balance.channelMatrix[4 * row + $1] * balanced[$1] }
        #expect(abs(value - color[row] / white[row]) < 1e-5)
      }
    }
  }

  @Test func refusesWhatCannotBeBalanced() {
    #expect(FourColorBalance(reduction: [1, 2], neutral: SIMD3(1, 1, 1)) == nil)
    #expect(FourColorBalance(reduction: Self.reduction, neutral: SIMD3(1, 0, 1)) == nil)
    #expect(
      FourColorBalance(reduction: [Double](repeating: 1, count: 12), neutral: SIMD3(1, 1, 1)) == nil
    )
  }
}
