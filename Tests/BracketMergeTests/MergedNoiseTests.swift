import ImageCore
import RawDecode
import Testing

@testable import BracketMerge

@Suite struct MergedNoiseTests {
  private func estimate(_ times: [Float]) -> RadianceEstimate {
    let noise = FrameNoise(
      shot: SIMD4(1e-4, 2e-4, 3e-4, 2e-4), read: SIMD4(1e-8, 2e-8, 3e-8, 2e-8),
      saturation: SIMD4(repeating: 0.99))
    return RadianceEstimate(
      times.map { RadianceEstimate.Exposure(time: $0, noise: noise) },
      channels: SampleChannels(PixelSize(width: 8, height: 1), .linear))
  }

  @Test func oneFrameKeepsItsNoise() {
    let noise = MergedNoise(estimate([1]), reference: 1)
    for c in 0..<3 {
      for line in [noise.everywhere[c], noise.bright[c]] {
        #expect(abs(line.scale / (Double(c + 1) * 1e-4) - 1) < 1e-4)
        #expect(abs(line.offset / (Double(c + 1) * 1e-8) - 1) < 1e-4)
      }
    }
  }

  @Test func theLineIsRightAtBlackAndAtGray() {
    let estimate = estimate([1, 4, 16])
    let noise = MergedNoise(estimate, reference: 4)
    let gray: Float = 0.1 / 4
    for c in 0..<3 {
      let (line, bright) = (noise.everywhere[c], noise.bright[c])
      let black = Double(estimate.variance(of: 0, channel: c))
      #expect(abs(line.offset / black - 1) < 1e-5)
      // Each frame adds the square of its exposure.
      #expect(abs(black / (Double(c + 1) * 1e-8 / (1 + 16 + 256)) - 1) < 1e-4)
      let found = line.scale * Double(gray) + line.offset
      #expect(abs(found / Double(estimate.variance(of: gray, channel: c)) - 1) < 1e-4)
      #expect(line.scale < bright.scale && line.offset < bright.offset)
    }
  }
}
