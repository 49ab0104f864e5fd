import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NoiseEstimateTests {
  /// Noise of a smooth picture is estimated to a fifth.
  @Test(arguments: [
    SensorFixture.bayers[0], SensorFixture.bayers[2], SensorFixture.xTrans(x: 1, y: 2),
    CFA(width: 2, height: 2, channels: [0, 1, 3, 2]),
  ])
  func simulatedNoiseIsFound(cfa: CFA) throws {
    for (shot, read): (Float, Float) in [(2e-3, 1e-5), (8e-3, 1e-4)] {
      let data = NoiseFixture.sensor(480, 480, cfa, shot: shot, read: read) { x, y, c in
        Float(x) * Float(x) / 480 / 480 * 0.7 * (c == 1 ? 1 : 0.6)
      }
      let found = try #require(try NoiseEstimate(data))
      for level in [0.01, 0.05, 0.2, 0.6] {
        let ratio = (found.shot * level + found.read) / (Double(shot) * level + Double(read))
        #expect(ratio > 0.8 && ratio < 1.25, "\(cfa.kind) \(shot) at \(level): \(ratio)")
      }
    }
  }

  /// Texture raises the estimate, but not without bound.
  @Test func textureIsNotTakenForNoise() throws {
    let data = NoiseFixture.sensor(480, 480, shot: 2e-3, read: 1e-5) { x, y, c in
      NoiseFixture.scene(x % 200, y, c)
    }
    let found = try #require(try NoiseEstimate(data))
    let ratio = (found.shot * 0.2 + found.read) / (2e-3 * 0.2 + 1e-5)
    #expect(ratio > 0.8 && ratio < 1.5, "\(ratio)")
  }

  /// Waves of all directions, stronger the longer they are.
  private static func waves(_ x: Int, _ y: Int) -> Float {
    var sum: Float = 0
    for n in 1...40 {
      let (length, angle) = (4 + 0.7 * Float(n), 2.4 * Float(n))
      let phase = (Float(x) * cos(angle) + Float(y) * sin(angle)) / length
      sum += length.squareRoot() * sin(6.2832 * phase + Float(n * n))
    }
    return sum
  }

  /// A scene with texture everywhere and no noise, as a lens shows it: no visible noise is found.
  @Test func textureAloneIsHardlyNoise() throws {
    let data = SensorFixture.sensor(480, 480, NoiseFixture.bayer) { x, y, _ in
      0.1 + 0.3 * Float(x) / 480 + 0.0012 * Self.waves(x, y)
    }
    let found = try #require(try NoiseEstimate(data))
    #expect(found.shot * 0.2 + found.read < 2e-6, "\(found)")
  }

  /// The same beside one even patch with a little noise: the noise of the patch is used for the
  /// rest of the picture, which has no more.
  @Test func evenLightMakesNoNoiseOfTexture() throws {
    let read: Float = 1e-5
    let data = SensorFixture.sensor(480, 480, NoiseFixture.bayer) { x, y, _ in
      x >= 400
        ? 0.8 + read.squareRoot() * SensorFixture.noise(x, y)
        : 0.03 + 0.1 * Float(x) / 480 + 0.0001 * Self.waves(x, y)
    }
    let found = try #require(try NoiseEstimate(data))
    #expect(found.shot * 0.05 + found.read < 2e-6, "\(found)")
  }

  @Test func demosaicedPixelsShowTheirOwnNoise() throws {
    let size = 240
    let samples = try RawSamples(of: Float.self, stride: 3 * size, rows: size) { out in
      for y in 0..<size {
        for x in 0..<3 * size { out[y * 3 * size + x] = 0.3 + 0.02 * SensorFixture.noise(x, y) }
      }
    }
    let data = SensorData(
      size: PixelSize(width: size, height: size), layout: .linear, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [0, 0, 0], scale: SIMD4(repeating: 1)))
    let found = try #require(try NoiseEstimate(data))
    let ratio = (found.shot * 0.3 + found.read) / 4e-4
    #expect(ratio > 0.8 && ratio < 1.25, "\(ratio)")
  }

  @Test func workersChangeNothing() throws {
    let data = NoiseFixture.sensor(320, 320, shot: 2e-3, read: 1e-5) { x, _, _ in
      Float(x) / 400
    }
    let (one, many) = (
      try #require(try NoiseEstimate(data, workers: 1)),
      try #require(try NoiseEstimate(data, workers: 3))
    )
    #expect(one.shot == many.shot && one.read == many.read)
  }

  @Test func picturesWithoutUsableBlocksHaveNoEstimate() throws {
    let white = SensorFixture.sensor(64, 64, NoiseFixture.bayer) { _, _, _ in 1 }
    #expect(try NoiseEstimate(white) == nil)
    let tiny = SensorFixture.sensor(6, 6, NoiseFixture.bayer) { x, y, _ in Float(x ^ y) / 9 }
    #expect(try NoiseEstimate(tiny) == nil)
    let model = try NoiseModel(white, profile: [], iso: nil, balance: NoiseFixture.even)
    #expect(NoiseAmounts(for: model).luminance == 0)
  }

  @Test func nonFiniteSamplesGiveAFiniteModel() throws {
    let data = SensorFixture.sensor(64, 64, NoiseFixture.bayer) { x, y, _ in
      [Float.nan, .infinity, -.infinity, 1e30, -1e30, 0][(x + y * 3) % 6]
    }
    let model = try NoiseModel(data, profile: [], iso: 100, balance: SIMD4(2, 1, 1.5, 1))
    #expect((0..<3).allSatisfy { model.shot[$0].isFinite && model.read[$0] > 0 })
  }

  @Test func theISOLimitsTheEstimate() throws {
    let prior = try #require(NoisePrior(iso: 100))
    #expect(prior.limited(shot: 1, read: 1).shot == prior.shot.upperBound)
    #expect(prior.limited(shot: 0, read: 0).shot == prior.shot.lowerBound)
    #expect(prior.limited(shot: 4e-5, read: 1e-7) == (4e-5, 1e-7))
    #expect(NoisePrior(iso: nil) == nil && NoisePrior(iso: .nan) == nil)
    #expect(NoisePrior(iso: -3) == nil && NoisePrior(iso: 1e9) == nil)
  }
}
