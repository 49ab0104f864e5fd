import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NeutralClipTests {
  @Test func distantPhotositesStay() throws {
    let balance = SIMD4<Float>(2, 1, 1.5, 1)
    let data = SensorFixture.sensor(64, 64, SensorFixture.bayers[0]) { x, _, c in
      c == 1 ? (x == 20 || x == 21 ? 1 : 0.7) : 0.7
    }
    let picture = try SensorFixture.picture(
      data, balance: balance, SensorSettings(highlights: .clipped))
    #expect(abs(picture[50, 32].x - 1.4) < 1e-5)
    let reduced = try SensorFixture.picture(
      data, balance: balance,
      SensorSettings(highlights: .clipped, resolution: .reduced))
    #expect(reduced[10, 16].x == 1)
  }
}
