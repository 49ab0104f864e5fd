import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LateralMosaicTests {
  private typealias F = LateralColorFitTests
  private static let color = LateralColor(
    red: LateralShift(F.truths[0].red), blue: LateralShift(F.truths[0].blue))

  /// Signal to error of a channel against the picture of an ideal lens, in dB, on the scale of
  /// roots.
  private static func quality(
    _ picture: Image<CameraRGB>, _ wanted: Image<CameraRGB>, _ c: Int
  ) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in 20..<wanted.size.height - 20 {
      for x in 20..<wanted.size.width - 20 {
        let d = max(picture[x, y][c], 0).squareRoot() - max(wanted[x, y][c], 0).squareRoot()
        sum += Double(d * d)
        count += 1
      }
    }
    return -10 * log10(sum / count)
  }

  private static func rendered(_ source: any PixelSource<CameraRGB>) throws -> Image<CameraRGB> {
    try Image(rendering: source, workers: 2)
  }

  @Test(arguments: SensorFixture.bayers)
  func colorsLieUponEachOtherBeforeTheDemosaic(cfa: CFA) throws {
    let seen = try F.pipeline(F.sensor(cfa, F.truths[0]))
    let good = try Self.rendered(try F.pipeline(F.sensor(cfa, F.none)))
    let stage = LensStage(actions: [], frame: OpcodeFrame(size: F.size))
    let before = try Self.rendered(seen)
    let after = try Self.rendered(seen.correcting(Self.color))
    let behind = try Self.rendered(stage.correcting(Self.color).applied(to: seen, reduction: 1))
    for c in [0, 2] {
      let gain = Self.quality(after, good, c) - Self.quality(before, good, c)
      #expect(gain > 7, "channel \(c): \(gain) dB")
      let advantage = Self.quality(after, good, c) - Self.quality(behind, good, c)
      #expect(advantage > 2, "channel \(c): \(advantage) dB")
    }
    #expect(Self.quality(after, good, 1) > Self.quality(before, good, 1) + 0.5)
  }

  @Test(arguments: SensorFixture.bayers, LateralColorFitTests.truths)
  func anyRectangleHoldsTheSamePixels(cfa: CFA, truth: LateralColorFitTests.Truth) throws {
    let data = SensorFixture.sensor(817, 290, cfa) { SensorFixture.busy($0, $1, $2) }
    let color = LateralColor(red: LateralShift(truth.red), blue: LateralShift(truth.blue))
    for settings in [SensorSettings(), SensorSettings(method: .best)] {
      let pipeline = try SensorPipeline(
        data, balance: SIMD4(1.9, 1, 1.4, 1), settings: settings, workers: 2
      ).correcting(color)
      #expect(try NoiseFixture.differences(pipeline, in: NoiseFixture.cuts(pipeline.size)) == 0)
    }
  }

  @Test func withoutShiftsTheMosaicStays() throws {
    let cfa = SensorFixture.bayers[0]
    let data = SensorFixture.sensor(200, 150, cfa) { x, y, c in
      SensorFixture.busy(x, y, c) - 0.05
    }
    let pipeline = try SensorPipeline(
      data, balance: SIMD4(repeating: 1), settings: SensorSettings(highlights: .kept))
    let plain = try NoiseFixture.rendered(pipeline)
    let none = pipeline.correcting(LateralColor(red: nil, blue: nil))
    #expect(try NoiseFixture.differences(NoiseFixture.rendered(none), plain) == 0)
    let zero = LateralShift(F.none.red)
    let still = try NoiseFixture.rendered(pipeline.correcting(LateralColor(red: zero, blue: zero)))
    var worst: Float = 0
    for y in 0..<150 {
      for x in 0..<200 {
        let d = still[x, y] - plain[x, y]
        worst = max(worst, abs(d.x), abs(d.y), abs(d.z))
      }
    }
    #expect(worst < 1e-5, "\(worst)")
    // Other patterns are not Bayer's.
    let other = try SensorPipeline(
      SensorFixture.sensor(96, 96, SensorFixture.xTrans()) { SensorFixture.busy($0, $1, $2) },
      balance: SIMD4(repeating: 1), settings: SensorSettings())
    #expect(
      try NoiseFixture.differences(
        NoiseFixture.rendered(other.correcting(Self.color)), NoiseFixture.rendered(other)) == 0)
  }

  @Test func extremeNumbersStayFinite() throws {
    let cfa = SensorFixture.bayers[1]
    let values: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, 0.5, 0]
    let data = SensorFixture.sensor(64, 64, cfa) { x, y, _ in values[(x + 3 * y) % 7] }
    let wide = LateralShift((0..<LateralShift.termCount).map { Double($0) * 1e3 })
    let pipeline = try SensorPipeline(
      data, balance: SIMD4(repeating: 1), settings: SensorSettings()
    ).correcting(LateralColor(red: wide, blue: wide))
    let picture = try NoiseFixture.rendered(pipeline)
    var odd = 0
    for y in 0..<64 { for x in 0..<64 where !picture[x, y].sum().isFinite { odd += 1 } }
    #expect(odd == 0)
  }
}
