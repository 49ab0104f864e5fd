import ImageCore
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NoiseModelTests {
  @Test func oneDeclaredPairHoldsForAllChannelsBeforeBalance() throws {
    let balance = SIMD4<Float>(2, 1, 1.5, 1)
    let model = try #require(NoiseModel(profile: [(1e-3, 1e-5)], balance: balance))
    for c in 0..<3 {
      #expect(abs(model.shot[c] / (1e-3 * balance[c]) - 1) < 1e-6)
      #expect(abs(model.read[c] / (1e-5 * balance[c] * balance[c]) - 1) < 1e-6)
      #expect(model.saturation[c] == balance[c])
    }
  }

  @Test func eachChannelHasItsDeclaredPair() throws {
    let model = try #require(
      NoiseModel(profile: [(1e-3, 1e-5), (2e-3, 2e-5), (3e-3, 3e-5)], balance: NoiseFixture.even))
    #expect(model.shot == SIMD3(1e-3, 2e-3, 3e-3))
    #expect(model.read == SIMD3(1e-5, 2e-5, 3e-5))
  }

  @Test func impossibleNoiseProfilesAreNil() {
    for profile: [(scale: Double, offset: Double)] in [
      [], [(0, 0)], [(.nan, 1)], [(1, .infinity)], [(-1, -1)], [(1e-3, 0), (1e-3, 0)],
    ] {
      #expect(NoiseModel(profile: profile, balance: NoiseFixture.even) == nil, "\(profile)")
    }
  }

  @Test func extremeNumbersAreBroughtIntoRange() throws {
    let profile: [(scale: Double, offset: Double)] = [(1e300, -1e300)]
    let model = try #require(NoiseModel(profile: profile, balance: NoiseFixture.even))
    #expect(model.shot == SIMD3(repeating: NoiseModel.shotRange.upperBound))
    #expect(model.read == SIMD3(repeating: NoiseModel.readRange.lowerBound))
  }

  @Test func amountsGrowWithNoiseFromNothing() {
    var last = NoiseAmounts(luminance: 0, color: 0)
    for shot in [0, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 8e-3] {
      let model = NoiseModel(shot: shot, read: shot * shot, balance: NoiseFixture.even)
      let amounts = NoiseAmounts(for: model)
      #expect(amounts.luminance >= last.luminance && amounts.color >= last.color)
      if shot <= 1e-5 { #expect(amounts.luminance == 0) }
      last = amounts
    }
    #expect(last == NoiseAmounts(luminance: 1, color: 1))
  }

  @Test func lowSpeedsLimitLuminanceAlone() {
    let full = NoiseAmounts(luminance: 1, color: 1)
    var last: Float = 0
    for iso in [50.0, 200, 400, 800, 1600, 2400, 25_600] {
      let amounts = full.limited(toSpeed: iso)
      #expect(amounts.color == 1 && amounts.luminance >= last)
      last = amounts.luminance
    }
    #expect(full.limited(toSpeed: 200).luminance == 0.2 && last == 1)
    let little = NoiseAmounts(luminance: 0.2, color: 0.1)
    #expect(little.limited(toSpeed: 100) == little)
    for unknown in [nil, 0, -1, Double.nan] { #expect(full.limited(toSpeed: unknown) == full) }
  }
}
