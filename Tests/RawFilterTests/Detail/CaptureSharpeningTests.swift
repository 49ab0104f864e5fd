import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct CaptureSharpeningTests {
  typealias Settings = CaptureSharpening.Settings
  static let noise = 0.002

  private func sharpened(
    _ image: Image<SceneLinear>, _ amount: Float = Settings.defaultAmount, radius: Float = 0.7,
    noise: Float = 0, clipLevel: Float = .infinity
  ) throws -> Image<SceneLinear> {
    let settings = try Settings(
      amount: amount, radius: radius, noise: try LuminanceNoise(slope: noise, offset: 0),
      clipLevel: clipLevel)
    return try DetailFixture.read(CaptureSharpening(image, settings))
  }

  @Test(arguments: [(Float(0), Float(0.7)), (1, 0), (1, 0.3)])
  func neutralSettingsReturnTheSource(amount: Float, radius: Float) throws {
    let image = DetailFixture.busy
    #expect(DetailFixture.differences(try sharpened(image, amount, radius: radius), image) == 0)
  }

  /// What stages in front keep grows with the rectangles that they are asked for: cells of 128 rows
  /// are no reason to ask for as many at a time.
  @Test func lanesAskForFewRowsAtATime() throws {
    struct Picture: PixelSource {
      typealias State = SceneLinear
      let picture = certain {
        try DetailFixture.gray(160, 700) { x, y in 0.2 + 0.1 * Float(x / 8 & 1) }
      }
      let reads = Reads()
      let bandHeight = 32
      var size: PixelSize { picture.size }
      var info: SceneLinear.Info { picture.info }
      func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
        reads.rects.append(rect)
        try picture.read(rect, into: buffer)
      }
    }
    final class Reads: @unchecked Sendable { var rects: [PixelRect] = [] }
    let picture = Picture()
    let stage = CaptureSharpening(picture, try Settings(radius: 0.7))
    let whole = try Image(rendering: stage, workers: 1)
    let rects = picture.reads.rects
    #expect(rects.allSatisfy { $0.height <= 32 })
    #expect(rects.reduce(0) { $0 + $1.size.area } == picture.size.area, "no row twice")
    #expect(try DetailFixture.differences(whole, DetailFixture.read(stage)) == 0)
  }

  @Test func settingsAreChecked() {
    for amount: Float in [-0.1, 1.1, .nan, .infinity] {
      #expect(throws: RAWError.self) { try Settings(amount: amount) }
    }
    #expect(throws: RAWError.self) { try Settings(radius: 1.6) }
    #expect(throws: RAWError.self) { try Settings(threshold: 0) }
    #expect(throws: RAWError.self) { try Settings(clipLevel: 0) }
    #expect(throws: RAWError.self) { try Settings(clipLevel: .nan) }
    #expect(throws: RAWError.self) { try LuminanceNoise(slope: -1, offset: 0) }
  }

  @Test(arguments: [Float(0.5), 1])
  func isTheSameHoweverItIsCut(radius: Float) throws {
    let settings = try Settings(
      amount: 0.8, radius: radius, noise: try LuminanceNoise(slope: 1e-4, offset: 1e-6),
      clipLevel: 10)
    let stage = CaptureSharpening(DetailFixture.busy, settings)
    #expect(try DetailFixture.cutDependence(stage) == 0)
    #expect(try DetailFixture.differences(DetailFixture.read(stage), DetailFixture.busy) > 1000)
  }

  /// The promise: at the default amount MTF50 rises by a quarter, overshoot stays below 5 %.
  @Test(arguments: [0.6, 0.8, 1.0], [0, noise])
  func edgesBecomeSharper(sigma: Double, noise: Double) throws {
    let image = try SlantedEdge.picture(sigma: sigma, noise: noise)
    let before = SlantedEdge.measure(image)
    #expect(abs(before.mtf50 * sigma - 0.187) < 0.008, "\(before)")
    let after = SlantedEdge.measure(
      try sharpened(image, radius: Float(sigma), noise: Float(noise)))
    print("slanted edge σ \(sigma) noise \(noise): \(before) → \(after)")
    #expect(after.mtf50 > 1.25 * before.mtf50, "\(after)")
    #expect(after.over - before.over < 0.05 && after.under - before.under < 0.05, "\(after)")
  }

  /// A radius that is 20 % off does no harm.
  @Test(arguments: [0.65, 1.0])
  func wrongRadiusIsHarmless(sigma: Double) throws {
    let image = try SlantedEdge.picture(sigma: sigma)
    for factor in [0.8, 1.2] {
      let after = SlantedEdge.measure(try sharpened(image, radius: Float(sigma * factor)))
      #expect(after.mtf50 > 1.15 * SlantedEdge.measure(image).mtf50, "\(after)")
      #expect(after.over < 0.05 && after.under < 0.05, "\(after)")
    }
  }

  @Test func sharpnessRisesWithTheAmount() throws {
    let image = try SlantedEdge.picture(sigma: 0.8, noise: Self.noise)
    let measured = try [0, 0.25, 0.5, 0.75, 1].map {
      SlantedEdge.measure(try sharpened(image, $0, radius: 0.8, noise: Float(Self.noise))).mtf50
    }
    #expect(zip(measured, measured.dropFirst()).allSatisfy { $0 + 0.01 < $1 }, "\(measured)")
  }

  @Test(arguments: [(0.1, 1.0), (0.02, 1.0), (0.2, 8), (3, 8), (0.001, 50)])
  func brightEdgesGetNoHalo(low: Double, high: Double) throws {
    let image = try SlantedEdge.picture(sigma: 0.8, low: low, high: high)
    let after = try sharpened(image, 1, radius: 0.8)
    var (top, bottom) = (-Float.infinity, Float.infinity)
    for y in 0..<128 {
      for x in 0..<128 {
        top = max(top, after[x, y].y)
        bottom = min(bottom, after[x, y].y)
      }
    }
    #expect(Double(top) <= high * (high > 1 ? 1.00001 : 1.01), "\(top)")
    #expect(Double(bottom) >= low * 0.849, "\(bottom)")
    #expect(SlantedEdge.measure(after).mtf50 > 1.3 * SlantedEdge.measure(image).mtf50)
  }

  @Test func saturatedPixelsAndTwoPixelsAroundThemStay() throws {
    let image = try DetailFixture.gray(96, 80) { x, y in
      let d = Foundation.hypot(Float(x) - 48, Float(y) - 40)
      return min(0.1 + 3 / (1 + exp(d - 14)), 2) + (x / 3 % 2 == 0 ? 0.05 : 0)
    }
    let after = try sharpened(image, 1, clipLevel: 2)
    var changed = 0
    for y in 0..<80 {
      for x in 0..<96 {
        let isNear = (-2...2).contains { dy in
          (-2...2).contains { dx in
            let (u, v) = (min(max(x + dx, 0), 95), min(max(y + dy, 0), 79))
            return image[u, v].y >= 2 * SharpeningMask.nearClip
          }
        }
        if isNear { #expect(after[x, y] == image[x, y]) }
        if after[x, y] != image[x, y] { changed += 1 }
      }
    }
    #expect(changed > 2000)
  }

  @Test func noiseIsLeftAlone() throws {
    let image = try DetailFixture.gray(192, 128) { x, y in
      let luminance = 0.1 + 0.5 * Float(x) / 192
      return luminance + (0.002 * luminance).squareRoot() * SensorFixture.noise(x, y)
    }
    let fraction =
      Float(DetailFixture.differences(try sharpened(image, 1, noise: 0.002), image))
      / Float(image.size.area)
    #expect(fraction < 0.02, "\(fraction)")
  }

  @Test func colorStays() throws {
    let after = try sharpened(DetailFixture.busy, 1)
    #expect(DetailFixture.chromaticityError(after, DetailFixture.busy) < 1e-5)
    #expect(try after.lightStatistics().contentHeadroom <= DetailFixture.busy.info.peak)
  }

  @Test(arguments: [Float(0), 0.18, -0.3, 1, 60_000])
  func constantsStay(value: Float) throws {
    let image = try DetailFixture.gray(70, 66) { _, _ in value }
    #expect(DetailFixture.differences(try sharpened(image, 1), image) == 0)
  }

  @Test func extremesStayFinite() throws {
    #expect(DetailFixture.isFinite(try sharpened(DetailFixture.extremes, 1, clipLevel: 1000)))
    let small = try DetailFixture.gray(1, 1) { _, _ in 0.4 }
    #expect(DetailFixture.differences(try sharpened(small, 1), small) == 0)
  }
}
