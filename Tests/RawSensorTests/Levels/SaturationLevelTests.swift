import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SaturationLevelTests {
  static let patterns = [SensorFixture.bayers[1], SensorFixture.xTrans(x: 1, y: 2)]
  /// Gains that make gray neutral for a sensor with greens twice as sensitive.
  static let balance = SIMD4<Float>(2, 1, 1.5, 1)

  private func saturation(_ data: SensorData, _ cfa: CFA) throws -> SaturationLevel {
    let levels = try LinearLevels(data, balance: Self.balance)
    return try SaturationLevel(
      levels, cfa, balance: Self.balance, WorkspacePool { SensorWorkspace() }, workers: 2)
  }

  /// A gray gradient that rises from left to right, recorded up to `limit` with the noise of lossy
  /// coding.
  private func ramp(_ cfa: CFA, limit: Float, noise: Float, top: Float = 2.4) -> SensorData {
    SensorFixture.sensor(480, 288, cfa) { x, y, c in
      let value = top * Float(x) / 480 * (0.9 + 0.2 * Float(y) / 288) / Self.balance[c]
      return min(value, limit) * (1 + noise * SensorFixture.noise(x, y, c))
    }
  }

  @Test(arguments: patterns, [(Float(0.95), Float(0.007)), (0.9, 0), (0.93, 0.002)])
  func pileBelowWhiteIsFound(cfa: CFA, pile: (level: Float, noise: Float)) throws {
    let found = try saturation(ramp(cfa, limit: pile.level, noise: pile.noise), cfa)
    for c in 0..<3 {
      #expect(abs(found.level[c] - pile.level) < 0.008, "\(found)")
      #expect(found.threshold[c] <= pile.level - 3 * pile.noise * pile.level, "\(found)")
      #expect(found.threshold[c] > pile.level - 5 * pile.noise - 0.008, "\(found)")
    }
  }

  /// Full saturation, none at all, and a picture that just does not reach it.
  @Test(arguments: patterns, [(Float(1), Float(2.4)), (2, 0.7), (2, 0.88)])
  func otherwiseTheNominalLevelStands(cfa: CFA, ramp: (limit: Float, top: Float)) throws {
    let data = self.ramp(cfa, limit: ramp.limit, noise: 0, top: ramp.top)
    let found = try saturation(data, cfa)
    #expect(found.threshold == SIMD4(repeating: SaturationLevel.nominalFraction))
    #expect(found.level == SIMD4(repeating: 1))
  }

  /// A white wall with photon noise, its green just below saturation, fills half of the picture.
  @Test(arguments: patterns, [Float(0.88), 0.93, 0.96])
  func smoothWallIsNoSaturation(cfa: CFA, green: Float) throws {
    let data = SensorFixture.sensor(480, 288, cfa) { x, y, c in
      let isWall = x > 200 && y > 40
      let shade = isWall ? 1 + 0.008 * Float(y) / 288 : 0.2 + 0.5 * SensorFixture.hash(x / 9, y / 7)
      let value = green * shade / Self.balance[c]
      return value + 0.005 * value.squareRoot() * SensorFixture.noise(x, y, c)
    }
    let found = try saturation(data, cfa)
    #expect(found.threshold == SIMD4(repeating: SaturationLevel.nominalFraction))
  }

  @Test(arguments: patterns)
  func lowSaturationEndsNeutral(cfa: CFA) throws {
    let data = ramp(cfa, limit: 0.95, noise: 0.005)
    for highlights in [SensorSettings.Highlights.guided, .clipped] {
      let settings = SensorSettings(highlights: highlights)
      let pipeline = try SensorPipeline(data, balance: Self.balance, settings: settings)
      let picture = try SensorFixture.picture(data, balance: Self.balance, settings)
      let end: Float = highlights == .clipped ? 0.95 : 1.9
      #expect(abs(pipeline.clippedCeiling - end) < 0.03)
      var worst: Float = 0
      for y in 20..<268 {
        for x in 200..<470 {
          let pixel = picture[x, y]
          worst = max(worst, pixel.max() / pixel.min() - 1)
        }
      }
      #expect(worst < 0.2, "\(highlights): \(worst)")
    }
  }

  @Test func highDynamicRangeDoesNotSaturate() throws {
    let cfa = SensorFixture.bayers[0]
    func data(_ top: Float) -> SensorData {
      SensorFixture.sensor(96, 96, cfa) { x, y, c in
        x == 60 && y == 60 ? top : SensorFixture.busy(x, y, c)
      }
    }
    #expect(try saturation(data(1.0005), cfa).threshold.x == SaturationLevel.nominalFraction)
    #expect(try saturation(data(1.01), cfa).threshold == SIMD4(repeating: .infinity))
    let stored = try SensorFixture.picture(
      data(1.01), balance: Self.balance, SensorSettings(highlights: .kept))
    for highlights in [SensorSettings.Highlights.guided, .clipped] {
      let settings = SensorSettings(highlights: highlights)
      let picture = try SensorFixture.picture(data(1.01), balance: Self.balance, settings)
      let pipeline = try SensorPipeline(data(1.01), balance: Self.balance, settings: settings)
      #expect(pipeline.clippedFraction == SIMD4())
      var differences = 0
      for y in 0..<96 { for x in 0..<96 where picture[x, y] != stored[x, y] { differences += 1 } }
      #expect(differences == 0)
    }
  }
}
