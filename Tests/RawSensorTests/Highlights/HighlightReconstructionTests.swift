import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawSensor

@Suite struct HighlightReconstructionTests {
  static let patterns = [
    SensorFixture.bayers[0], SensorFixture.bayers[3], SensorFixture.xTrans(x: 2, y: 5),
  ]
  static let balance = SIMD4<Float>(2, 1, 1.5, 1)

  /// Lamps on a warm wall: in balanced light up to about 1.7, so that green, and here and there
  /// blue, saturates.
  static func scene(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let (dx, dy) = (Float(x % 96) - 48, Float(y % 96) - 48)
    let lamp = 1.5 * exp(-(dx * dx + dy * dy) / 500)
    let wall = 0.25 + 0.1 * sin(Float(x) * 0.2) * sin(Float(y) * 0.17)
    return SIMD3(1.08, 1, 0.9) * (lamp + wall)
  }

  static func data(_ cfa: CFA) -> SensorData {
    SensorFixture.sensor(288, 288, cfa) { x, y, c in min(scene(x, y)[c] / balance[c], 1) }
  }

  @Test(arguments: patterns)
  func rebuiltHighlightsAreNearerTheTruth(cfa: CFA) throws {
    let data = Self.data(cfa)
    let rebuilt = try SensorFixture.picture(data, balance: Self.balance)
    let clipped = try SensorFixture.picture(
      data, balance: Self.balance, SensorSettings(highlights: .clipped))
    var errors = SIMD2<Double>()
    var count = 0.0
    for y in 16..<272 {
      for x in 16..<272 {
        let truth = Self.scene(x, y)
        guard truth.y > 1.05 else { continue }
        for c in 0..<3 {
          errors.x += abs(log2(Double(rebuilt[x, y][c] / truth[c])))
          errors.y += abs(log2(Double(clipped[x, y][c] / truth[c])))
        }
        count += 3
      }
    }
    #expect(count > 1000)
    #expect(errors.x < 0.5 * errors.y, "\(errors / count)")
    #expect(errors.x / count < 0.15, "\(errors / count)")
  }

  @Test(arguments: patterns)
  func unsaturatedPicturesKeepTheirBits(cfa: CFA) throws {
    let data = SensorFixture.sensor(120, 90, cfa) { x, y, c in
      0.8 * SensorFixture.busy(x, y, c)
    }
    let on = try SensorFixture.picture(data, balance: Self.balance)
    let off = try SensorFixture.picture(
      data, balance: Self.balance, SensorSettings(highlights: .clipped))
    var differences = 0
    for y in 0..<90 { for x in 0..<120 where on[x, y] != off[x, y] { differences += 1 } }
    #expect(differences == 0)
    #expect((0..<120).contains { on[$0, 45].x > 1 }, "values above 1 that are not saturated stay")
  }

  /// A gray field of growing light: no channel may fall, and nothing exceeds the ceiling.
  @Test(arguments: patterns)
  func moreLightNeverGetsDarker(cfa: CFA) throws {
    var last = SIMD3<Float>(repeating: 0)
    for step in 0...60 {
      let light = 0.5 + 0.03 * Float(step)
      let data = SensorFixture.sensor(48, 48, cfa) { _, _, c in min(light / Self.balance[c], 1) }
      let pixel = try SensorFixture.picture(data, balance: Self.balance)[24, 24]
      for c in 0..<3 { #expect(pixel[c] >= last[c] - 1e-4, "\(light): \(pixel) after \(last)") }
      #expect(pixel.max() <= 2 + 1e-5)
      last = pixel
    }
    for c in 0..<3 { #expect(abs(last[c] - 2) < 1e-5) }
  }

  @Test func neutralClipLeavesDistantPhotositesAlone() throws {
    let data = SensorFixture.sensor(64, 64, SensorFixture.bayers[0]) { x, _, c in
      c == 1 ? (x == 20 || x == 21 ? 1 : 0.7) : 0.7
    }
    let picture = try SensorFixture.picture(
      data, balance: Self.balance, SensorSettings(highlights: .clipped))
    #expect(abs(picture[50, 32].x - 1.4) < 1e-5)
    let reduced = try SensorFixture.picture(
      data, balance: Self.balance,
      SensorSettings(highlights: .clipped, resolution: .reduced))
    #expect(reduced[10, 16].x == 1)
  }
}
