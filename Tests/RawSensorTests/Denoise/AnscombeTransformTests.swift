import Testing

@testable import RawSensor

@Suite struct AnscombeTransformTests {
  private let scale = AnscombeTransform(NoiseFixture.model)

  @Test func theInverseReturnsTheValue() {
    for value: Float in [-2, -0.1, -1e-3, 0, 1e-4, 0.01, 0.2, 1, 8, 1000] {
      let y = scale.forward(SIMD8(repeating: value))
      let back = scale.inverse(y, bias: SIMD8(repeating: 0))[0]
      #expect(abs(back - value) <= 2e-6 * max(abs(value), 1), "\(value): \(back)")
    }
  }

  @Test func noiseHasTheSameVarianceAtEveryBrightness() {
    for value: Float in [0.005, 0.05, 0.2, 0.7] {
      let deviation = (8e-3 * value + 1e-4).squareRoot()
      let high = scale.forward(SIMD8(repeating: value + 0.1 * deviation))[0]
      let low = scale.forward(SIMD8(repeating: value - 0.1 * deviation))[0]
      #expect(abs((high - low) / 0.2 - 1) < 0.12, "\(value): \((high - low) / 0.2)")
    }
  }
}
