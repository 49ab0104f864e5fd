import Testing

@testable import RawData
@testable import RawSensor

@Suite struct CellRowsTests {
  /// The modified Bessel function of order 0: Σ (x²/4)^k / k!².
  static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...40 {
      term *= x * x / 4 / Double(k * k)
      sum += term
    }
    return sum
  }

  @Test func theWindowIsKaisers() {
    for n in 0..<8 {
      let position = 2 * Double(n) / 7 - 1
      let exact = Self.bessel(2 * (1 - position * position).squareRoot()) / Self.bessel(2)
      #expect(abs(Double(KaiserWindow.weight(n)) - exact) < 5e-6)
    }
  }
}
