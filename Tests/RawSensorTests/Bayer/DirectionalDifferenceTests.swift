import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct DirectionalDifferenceTests {
  @Test func bestBeatsRatioCorrected() throws {
    for cfa in SensorFixture.bayers {
      let ratio = try DemosaicQualityTests.cpsnr(cfa, DemosaicQualityTests.settings(.fast))
      let best = try DemosaicQualityTests.cpsnr(cfa, DemosaicQualityTests.settings(.best))
      #expect(best > ratio + 0.3, "\(best) \(ratio)")
    }
  }

  /// Where all colors differ from green by constants along a line, the differences are exact.
  @Test func slopesAreExact() throws {
    let scene: (Int, Int, Int) -> Float = { x, y, c in
      0.3 + 0.1 * Float(c) + 0.001 * Float(x) + 0.002 * Float(y)
    }
    let data = SensorFixture.sensor(64, 64, SensorFixture.bayers[0], scene: scene)
    let settings = SensorSettings(
      highlights: .kept, defects: .kept, domain: .linear, method: .best)
    let picture = try SensorFixture.picture(data, settings)
    var worst: Float = 0
    for y in 16..<48 {
      for x in 16..<48 {
        for c in 0..<3 { worst = max(worst, abs(picture[x, y][c] - scene(x, y, c))) }
      }
    }
    #expect(worst < 2e-4, "\(worst)")
  }

  /// A gray picture has no color, whatever its texture along one axis.
  @Test(arguments: [true, false])
  func grayLinesStayGray(isVertical: Bool) throws {
    let data = SensorFixture.sensor(96, 96, SensorFixture.bayers[1]) { x, y, _ in
      0.3 + 0.2 * cos(Float(isVertical ? x : y) * 1.3)
    }
    func color(_ method: DemosaicMethod) throws -> Float {
      let picture = try SensorFixture.picture(data, DemosaicQualityTests.settings(method))
      var sum: Float = 0
      for y in 16..<80 {
        for x in 16..<80 { sum += abs(picture[x, y].x - picture[x, y].y) }
      }
      return sum / (64 * 64)
    }
    let (best, ratio) = (try color(.best), try color(.fast))
    #expect(best < 1e-3, "\(best) \(ratio)")
  }

  @Test func anyRectangleHoldsTheSamePixels() throws {
    for bayer in SensorFixture.bayers {
      let data = SensorFixture.sensor(801, 61, bayer, scene: SensorFixture.busy)
      let pipeline = try SensorPipeline(
        data, balance: NoiseFixture.even, settings: DemosaicQualityTests.settings(.best))
      #expect(try NoiseFixture.differences(pipeline, in: NoiseFixture.cuts(pipeline.size)) == 0)
    }
  }

  /// Measured values are preserved.
  @Test func measuredChannelsKeepTheirValues() throws {
    let cfa = SensorFixture.bayers[2]
    let data = SensorFixture.sensor(64, 48, cfa, scene: SensorFixture.busy)
    let settings = SensorSettings(highlights: .kept, defects: .kept, method: .best)
    let picture = try SensorFixture.picture(data, settings)
    var worst: Float = 0
    for y in 0..<48 {
      for x in 0..<64 {
        let c = cfa.channel(x: x, y: y)
        worst = max(worst, abs(picture[x, y][c] - SensorFixture.busy(x, y, c)))
      }
    }
    #expect(worst < 1e-5, "\(worst)")
  }
}
