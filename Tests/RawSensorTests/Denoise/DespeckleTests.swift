import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct DespeckleTests {
  static let model = NoiseModel(shot: 1e-3, read: 1e-5, balance: NoiseFixture.even)
  static let specks = certain {
    try NoiseFixture.picture(60, 40) { x, y, c in
      if x == 20 && y == 20 { return 0.9 }
      if x == 40 && y == 10 && c == 0 { return 0.01 }
      return 0.3 + 0.01 * SensorFixture.noise(x, y, c)
    }
  }

  @Test func amountZeroReturnsTheSourceBitForBit() throws {
    let despeckle = try Despeckle(Self.specks, model: Self.model, amount: 0)
    #expect(try NoiseFixture.differences(NoiseFixture.rendered(despeckle), Self.specks) == 0)
  }

  @Test func specksGoAndNothingElse() throws {
    let result = try NoiseFixture.rendered(
      try Despeckle(Self.specks, model: Self.model, amount: 1))
    #expect(result[20, 20].max() < 0.45 && result[40, 10].x > 0.15)
    var changed = 0
    for y in 0..<40 { for x in 0..<60 where result[x, y] != Self.specks[x, y] { changed += 1 } }
    #expect(changed == 2)
  }

  @Test func amountIsMonotone() throws {
    var last: Float = 1
    for amount: Float in [0.2, 0.4, 0.6, 0.8, 1] {
      let result = try NoiseFixture.rendered(
        try Despeckle(Self.specks, model: Self.model, amount: amount))
      #expect(result[20, 20].y <= last)
      last = result[20, 20].y
    }
  }

  @Test func edgesAndLinesStay() throws {
    let source = try NoiseFixture.picture(40, 40) { x, y, _ in
      x == 12 || y == 30 || x + y == 50 ? 0.8 : (x > 25 ? 0.5 : 0.1)
    }
    let result = try NoiseFixture.rendered(try Despeckle(source, model: Self.model, amount: 1))
    #expect(NoiseFixture.differences(result, source) == 0)
  }

  @Test func saturatedPixelsStay() throws {
    let source = try NoiseFixture.picture(20, 20) { x, y, _ in x == 9 && y == 9 ? 1.5 : 0.1 }
    let result = try NoiseFixture.rendered(try Despeckle(source, model: Self.model, amount: 1))
    #expect(result[9, 9] == source[9, 9])
  }

  @Test func anyRectangleHoldsTheSamePixels() throws {
    let despeckle = try Despeckle(Self.specks, model: Self.model, amount: 1)
    #expect(try NoiseFixture.differences(despeckle, in: NoiseFixture.cuts(despeckle.size)) == 0)
  }

  @Test func amountsOutsideTheirRangeAreRefused() {
    for amount: Float in [-0.1, 1.01, .nan] {
      #expect(throws: RAWError.self) {
        try Despeckle(Self.specks, model: Self.model, amount: amount)
      }
    }
  }
}
