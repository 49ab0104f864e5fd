import Foundation
import Testing

@testable import RawFilter

@Suite struct NoiseStabilizationTests {
  private let scale = NoiseStabilization(NoiseFixture.model)

  @Test func withoutNoiseTheWayBackReturnsTheLight() {
    for light: Float in [-2, -0.1, -1e-3, 0, 1e-4, 0.01, 0.2, 1, 8, 1000] {
      let y = scale.forward(SIMD8(repeating: light))
      let back = scale.inverse(y, excess: SIMD8(repeating: 0))[0]
      #expect(abs(back - light) <= 2e-6 * max(abs(light), 1), "\(light): \(back)")
    }
  }

  @Test func noiseHasOneSizeAtEveryBrightness() {
    for light: Float in [0.005, 0.05, 0.2, 0.7] {
      let deviation = (8e-3 * light + 1e-4).squareRoot()
      let high = scale.forward(SIMD8(repeating: light + 0.1 * deviation))[0]
      let low = scale.forward(SIMD8(repeating: light - 0.1 * deviation))[0]
      #expect(abs((high - low) / 0.2 - 1) < 0.12, "\(light): \((high - low) / 0.2)")
    }
  }

  @Test func cosineTransformIsThatOfTheFormulaAndComesBack() {
    let samples = (0..<8).map { Float(($0 * 5 + 3) % 8) - 3 }
    func octet(_ v: [Float]) -> Octet {
      let s = v.map { SIMD8<Float>(repeating: $0) }
      return Octet(
        v0: s[0], v1: s[1], v2: s[2], v3: s[3], v4: s[4], v5: s[5], v6: s[6], v7: s[7])
    }
    func numbers(_ o: Octet) -> [Float] {
      [o.v0, o.v1, o.v2, o.v3, o.v4, o.v5, o.v6, o.v7].map { $0[0] }
    }
    let made = CosineTransform.forward(octet(samples))
    for (k, value) in numbers(made).enumerated() {
      var sum = 0.0
      for (i, sample) in samples.enumerated() {
        sum += Double(sample) * cos(.pi * (Double(i) + 0.5) * Double(k) / 8)
      }
      let norm = (k == 0 ? 1.0 / 8 : 1.0 / 4).squareRoot()
      let expected = sum * norm * 8.0.squareRoot() * Double(CosineTransform.scale[k])
      #expect(abs(Double(value) - expected) < 1e-5, "coefficient \(k)")
    }
    for (i, value) in numbers(CosineTransform.inverse(made)).enumerated() {
      #expect(abs(value / 8 - samples[i]) < 1e-5, "sample \(i)")
    }
  }
}
