import Testing

@testable import SyntheticRaw

@Suite("Integer noise")
struct IntegerNoiseTests {
  @Test("is SplitMix64")
  func splitMix() {
    // First output of the published generator for the state 0.
    #expect(IntegerNoise.bits(1, seed: 0) == 0xE220_A839_7B1D_CDAF)
  }

  @Test("has the mean 0, the variance 1 and independent neighbors")
  func normal() {
    let count = 100_000
    let draws = (0..<count).map { Double(IntegerNoise.normal(UInt64($0), seed: 7)) }
    let mean = draws.reduce(0, +) / Double(count)
    let variance = draws.reduce(0) { $0 + $1 * $1 } / Double(count) - mean * mean
    var product = 0.0
    for i in 1..<count { product += draws[i] * draws[i - 1] }
    #expect(abs(mean) < 0.01)
    #expect(abs(variance - 1) < 0.015)
    #expect(abs(product / Double(count)) < 0.01)
    let beyond = draws.filter { abs($0) > 2 }.count
    #expect(abs(Double(beyond) / Double(count) - 0.0455) < 0.004)
  }

  @Test("is smooth and stays in 0..<1")
  func value() {
    for i in 0..<2000 {
      let x = Float(i) * 0.013 - 9
      let a = IntegerNoise.fractal(x, 3.7, octaves: 4, seed: 3)
      let b = IntegerNoise.fractal(x + 0.001, 3.7, octaves: 4, seed: 3)
      #expect(a >= 0 && a < 1 && abs(a - b) < 0.02)
    }
  }
}
