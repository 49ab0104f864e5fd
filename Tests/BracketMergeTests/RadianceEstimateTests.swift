import ImageCore
import RawDecode
import Testing

@testable import BracketMerge

@Suite struct RadianceEstimateTests {
  private let noise = FrameNoise(
    shot: SIMD4(repeating: 1e-4), read: SIMD4(repeating: 1e-8), saturation: SIMD4(repeating: 0.99))

  private func estimate(_ times: [Float], _ values: [Float], trust: [Float]? = nil) -> Float {
    let estimate = RadianceEstimate(
      times.map { RadianceEstimate.Exposure(time: $0, noise: noise) },
      channels: SampleChannels(PixelSize(width: 8, height: 1), .monochrome))
    func rows(_ values: [Float]) -> [Float] {
      values.flatMap { [Float](repeating: $0, count: 8) }
    }
    var out = [Float](repeating: .nan, count: 8)
    let trusts = rows(trust ?? [Float](repeating: 1, count: values.count))
    estimate.estimate(
      row: 0, count: 8, values: rows(values), frameStride: 8, trust: trusts, into: &out)
    #expect(out.allSatisfy { $0 == out[0] })
    return out[0]
  }

  @Test func framesThatAgreeGiveTheirRadiance() {
    #expect(abs(estimate([1, 4, 16], [0.01, 0.04, 0.16]) - 0.01) < 1e-7)
    #expect(abs(estimate([1, 4, 16], [-0.001, -0.004, -0.016]) + 0.001) < 1e-8)
  }

  @Test func saturatedFramesAreLeftOut() {
    #expect(estimate([1, 4, 16], [0.3, 1, 1]) == 0.3)
    #expect(estimate([1, 4], [1, 1]) == 1)
  }

  @Test func whatIsMissingIsLeftOut() {
    #expect(abs(estimate([1, 4], [.nan, 0.2]) - 0.05) < 1e-8)
    #expect(estimate([1, 4], [0.05, .nan]) == 0.05)
    // Saturated in all that is there.
    #expect(estimate([1, 4], [.nan, 1]) == 1)
    #expect(estimate([1, 4], [.nan, .nan]) == 0)
  }

  @Test func whatIsNotTrustedIsLeftOut() {
    #expect(abs(estimate([1, 4], [0.1, 0.2], trust: [0, 1]) - 0.05) < 1e-8)
    #expect(abs(estimate([1, 4], [0.1, 0.2], trust: [1, 0]) - 0.1) < 1e-7)
  }

  @Test func varianceIsThatOfTheFramesThatCount() {
    let estimate = RadianceEstimate(
      [1, 4].map { RadianceEstimate.Exposure(time: $0, noise: noise) },
      channels: SampleChannels(PixelSize(width: 8, height: 1), .monochrome))
    #expect(abs(estimate.variance(of: 0.5, channel: 0) / (0.5e-4 + 1e-8) - 1) < 1e-4)
    #expect(abs(estimate.variance(of: 0, channel: 0) / (1e-8 / 17) - 1) < 1e-4)
  }
}
