import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct DualBlendTests {
  static func settings(_ method: DemosaicMethod) -> SensorSettings {
    SensorSettings(highlights: .kept, defects: .kept, method: method)
  }

  static func settings(noise: NoiseModel) -> SensorSettings {
    SensorSettings(highlights: .kept, defects: .kept, method: .dual, noise: noise)
  }

  static func model(shot: Double, read: Double) -> NoiseModel {
    NoiseModel(shot: shot, read: read, balance: NoiseFixture.even)
  }

  /// The largest difference of a channel.
  static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    max((a - b).max(), (b - a).max())
  }

  /// Pure noise is recognized at every brightness and white balance.
  @Test(arguments: [Float(0.01), 0.1, 0.5])
  func evenNoiseIsBilinear(level: Float) throws {
    let balance = SIMD4<Float>(2, 1, 1.5, 1)
    let data = NoiseFixture.sensor(128, 96, shot: 2e-3, read: 1e-5) { _, _, c in
      level / balance[c]
    }
    let model = NoiseModel(shot: 2e-3, read: 1e-5, balance: balance)
    let dual = try SensorFixture.picture(
      data, balance: balance, Self.settings(noise: model))
    let bilinear = try SensorFixture.bilinear(data, balance: balance, Self.settings(.fast))
    var different = 0
    for y in 8..<88 {
      for x in 8..<120 where Self.distance(dual[x, y], bilinear[x, y]) > 1e-5 { different += 1 }
    }
    #expect(different < 80 * 112 / 50, "\(different)")
  }

  @Test func withoutNoiseNothingIsBlended() throws {
    let data = SensorFixture.sensor(128, 96, NoiseFixture.bayer, scene: SensorFixture.busy)
    let dual = try SensorFixture.picture(
      data, Self.settings(noise: Self.model(shot: 0, read: 0)))
    let plain = try SensorFixture.picture(data, Self.settings(.best))
    var worst: Float = 0
    for y in 0..<96 {
      for x in 0..<128 { worst = max(worst, Self.distance(dual[x, y], plain[x, y])) }
    }
    #expect(worst < 1e-5, "\(worst)")
  }

  @Test(arguments: [(2e-3, 1e-5, 0.5), (8e-3, 1e-4, 0.5)])
  func gainsOnNoise(shot: Double, read: Double, minimum: Double) throws {
    for bayer in SensorFixture.bayers {
      let data = NoiseFixture.sensor(
        203, 137, bayer, shot: Float(shot), read: Float(read), scene: NoiseFixture.scene)
      let plain = try SensorFixture.picture(data, Self.settings(.fast))
      let dual = try SensorFixture.picture(
        data, Self.settings(noise: Self.model(shot: shot, read: read)))
      let gain =
        10
        * log10(
          NoiseFixture.error(plain, NoiseFixture.scene)
            / NoiseFixture.error(dual, NoiseFixture.scene))
      #expect(gain > minimum, "\(gain) dB")
    }
  }

  /// Edges far above the noise are unchanged.
  @Test func edgesStaySharp() throws {
    let data = SensorFixture.sensor(96, 96, NoiseFixture.bayer) { x, y, _ in
      2 * x + y > 140 ? 0.6 : 0.1
    }
    let plain = try SensorFixture.picture(data, Self.settings(.best))
    let dual = try SensorFixture.picture(
      data, Self.settings(noise: Self.model(shot: 2e-3, read: 1e-5)))
    var worst: Float = 0
    for y in 8..<88 {
      for x in 8..<88 where abs(2 * x + y - 140) < 6 {
        worst = max(worst, Self.distance(dual[x, y], plain[x, y]))
      }
    }
    #expect(worst < 1e-5, "\(worst)")
  }

  @Test func anyRectangleHoldsTheSamePixels() throws {
    for bayer in SensorFixture.bayers {
      let data = NoiseFixture.sensor(801, 61, bayer, shot: 2e-3, read: 1e-5) { x, y, c in
        SensorFixture.busy(x, y, c) * 0.5 + 0.1
      }
      let settings = Self.settings(noise: Self.model(shot: 2e-3, read: 1e-5))
      let pipeline = try SensorPipeline(
        data, balance: NoiseFixture.even, settings: settings)
      #expect(try NoiseFixture.differences(pipeline, in: NoiseFixture.cuts(pipeline.size)) == 0)
    }
  }

  @Test func otherPatternsAreLeftAlone() throws {
    let data = SensorFixture.sensor(96, 96, SensorFixture.xTrans(), scene: SensorFixture.busy)
    let settings = Self.settings(noise: Self.model(shot: 8e-3, read: 1e-4))
    let dual = try SensorFixture.picture(data, settings)
    let plain = try SensorFixture.picture(data, Self.settings(.fast))
    #expect(NoiseFixture.differences(dual, plain) == 0)
  }

  @Test func anyNoiseModelGivesFiniteResults() throws {
    let data = SensorFixture.sensor(64, 48, NoiseFixture.bayer, scene: SensorFixture.busy)
    for (shot, read) in [(1e9, 1e9), (-1, -1), (.nan, .infinity), (0, 1e-30)] {
      let settings = Self.settings(noise: Self.model(shot: shot, read: read))
      let picture = try SensorFixture.picture(data, settings)
      var notNumbers = 0
      for y in 0..<48 {
        for x in 0..<64 { for c in 0..<3 where !picture[x, y][c].isFinite { notNumbers += 1 } }
      }
      #expect(notNumbers == 0)
    }
  }
}
