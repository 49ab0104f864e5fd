import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct MedianContrastTests {
  typealias Settings = MedianContrast.Settings

  private func rendered(
    _ image: Image<SceneLinear>, _ amount: Float, noise: Float = 0
  ) throws -> Image<SceneLinear> {
    try DetailFixture.read(
      try MedianContrast(
        image, try Settings(amount: amount), noise: try LuminanceNoise(slope: noise, offset: 0),
        workers: 2))
  }

  /// Standard deviation of log2 of green, except `border` pixels at the edges.
  private func contrast(_ image: Image<SceneLinear>, border: Int = 8) -> Double {
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    for y in border..<image.size.height - border {
      for x in border..<image.size.width - border {
        let value = log2(Double(max(image[x, y].y, 1e-6)))
        sum += value
        squares += value * value
        count += 1
      }
    }
    return (squares / count - sum * sum / count / count).squareRoot()
  }

  /// Largest change in stops.
  private func change(_ after: Image<SceneLinear>, _ before: Image<SceneLinear>) -> Double {
    var worst = 0.0
    for y in 0..<before.size.height {
      for x in 0..<before.size.width {
        worst = max(worst, abs(log2(Double(after[x, y].y) / Double(before[x, y].y))))
      }
    }
    return worst
  }

  /// A gray picture with a lamp in a corner, far below which the rest is.
  private func lit(
    _ width: Int, _ height: Int, _ luminance: (Int, Int) -> Float
  ) throws -> Image<SceneLinear> {
    try DetailFixture.gray(width, height) { x, y in x + y < 2 ? 9 : luminance(x, y) }
  }

  /// Waves of `stops` from crest to trough in a picture as large as a camera's.
  private func waves(_ stops: Float, period: Float) throws -> Image<SceneLinear> {
    try lit(4096, max(120, Int(2 * period))) { x, y in
      0.2 * exp2(stops / 2 * sin(Float(x) * 2 * .pi / period) * sin(Float(y) * 5 / period))
    }
  }

  @Test func neutralSettingsReturnTheSource() throws {
    #expect(DetailFixture.differences(try rendered(DetailFixture.busy, 0), DetailFixture.busy) == 0)
    #expect(try Settings().isNeutral)
  }

  @Test func settingsAreChecked() {
    for amount: Float in [-1.1, 1.1, .nan, .infinity] {
      #expect(throws: RAWError.self) { try Settings(amount: amount) }
    }
  }

  @Test func isTheSameHoweverItIsCutAndMade() throws {
    let settings = try Settings(amount: 0.7)
    let stage = try MedianContrast(DetailFixture.busy, settings, workers: 1)
    #expect(try DetailFixture.cutDependence(stage) == 0)
    let other = try MedianContrast(DetailFixture.busy, settings, workers: 4)
    #expect(
      try DetailFixture.differences(DetailFixture.read(stage), DetailFixture.read(other)) == 0)
  }

  /// Structures of 0.3 to 0.5 stops, 20 to 200 pixels of 4096 long, gain half as much again and
  /// more, and not so much that they look drawn.
  @Test(arguments: [Float(0.3), 0.4, 0.5], [Float(20), 60, 200])
  func structuresGain(stops: Float, period: Float) throws {
    let image = try waves(stops, period: period)
    let gain = contrast(try rendered(image, 1)) / contrast(image)
    print("waves of \(stops) EV, \(period) pixels: \(gain)")
    #expect(gain > 1.5 && gain < 2.4, "\(gain)")
  }

  /// At −1 structures are a third of what they were and less, and do not turn over.
  @Test func structuresAreSmoothedBelowZero() throws {
    let image = try waves(0.4, period: 60)
    let after = try rendered(image, -1)
    #expect(contrast(after) < 0.4 * contrast(image))
    #expect(change(after, image) < 0.25)
  }

  @Test func effectRisesWithTheAmount() throws {
    let image = try lit(96, 96) { x, y in
      0.2 * (1 + 0.08 * sin(Float(x) * 0.4) * sin(Float(y) * 0.35))
    }
    let contrasts = try [-1, -0.5, 0, 0.25, 0.5, 0.75, 1].map { contrast(try rendered(image, $0)) }
    #expect(zip(contrasts, contrasts.dropFirst()).allSatisfy { $0 * 1.05 < $1 }, "\(contrasts)")
  }

  /// Steps from 2⁻⁹ on: order and direction stay, and nothing glows beside an edge.
  @Test(arguments: [2.0, 1, 0.5, 0.25])
  func stepChartKeepsItsOrder(stops: Double) throws {
    let width = 24
    let chart = try lit(13 * width, 24) { x, _ in
      Float(exp2((Double(x / width) - 9) * stops))
    }
    let after = try rendered(chart, 1)
    var minimum = Double.infinity
    for x in stride(from: width, to: 13 * width, by: width) {
      minimum = min(minimum, log2(Double(after[x, 12].y) / Double(after[x - 1, 12].y)))
    }
    let halo = change(after, chart)
    print("steps of \(stops) EV: halo \(halo) EV, minimum step \(minimum)")
    #expect(minimum >= stops * 0.999, "\(minimum)")
    #expect(halo < (stops >= 1 ? 0.02 : 0.06), "\(halo)")
  }

  /// One edge of two stops, upright and turned, sharp and blurred, in a picture whose samples are
  /// those of the map and in one four times as large.
  @Test(arguments: [300, 2400], [(Float(0), Float(1)), (0.4, 1), (0, 6), (0.4, 6)])
  func edgesHaveNoHalo(width: Int, edge: (turn: Float, blur: Float)) throws {
    let (turn, blur) = edge
    let image = try lit(width, 200) { x, y in
      let position = Float(x - width / 2) + turn * Float(y - 100)
      return 0.1 * exp2(2 * min(max(position / blur + 0.5, 0), 1))
    }
    let halo = change(try rendered(image, 1), image)
    print("edge, width \(width), turn \(turn), blur \(blur): \(halo)")
    #expect(halo < 0.02, "\(halo)")
  }

  @Test(arguments: [-1, Float(0.5), 1])
  func brightnessColorAndPeakStay(amount: Float) throws {
    let image = DetailFixture.busy
    let after = try rendered(image, amount)
    let shift = DetailFixture.meanStops(after) - DetailFixture.meanStops(image)
    #expect(abs(shift) < 0.05, "\(shift)")
    #expect(DetailFixture.chromaticityError(after, image) < 1e-5)
    #expect(try after.lightStatistics().contentHeadroom <= image.info.peak)
  }

  /// Noise of a flat part, and that of a part of weak texture.
  @Test(arguments: [Float(0), 0.03]) func noiseIsNotAmplified(texture: Float) throws {
    func luminance(_ x: Int, _ noise: Float) -> Float {
      0.2 * exp2(texture * sin(Float(x) * 0.3)) + noise
    }
    let image = try lit(128, 96) { x, y in
      luminance(x, 0.02 * Float(0.2).squareRoot() * SensorFixture.noise(x, y))
    }
    let (before, after) = (contrast(image), contrast(try rendered(image, 1, noise: 0.0004)))
    #expect(after < before * 1.03, "\(before) → \(after)")
  }

  @Test(arguments: [Float(0), 0.18, -0.3, 1, 60_000])
  func constantsStay(value: Float) throws {
    let worst = try DetailFixture.largestChange(of: value) { try rendered($0, 1) }
    #expect(worst <= abs(value) * 1e-6)
  }

  @Test func extremesStayFiniteAndOrdered() throws {
    for amount: Float in [-1, 1] {
      #expect(DetailFixture.isFinite(try rendered(DetailFixture.extremes, amount)))
      for slope: Float in [0.15, 0.05, 0.01] {
        let ramp = try lit(400, 24) { x, _ in exp2(Float(x) * slope - 14) }
        let after = try rendered(ramp, amount)
        #expect((1..<400).allSatisfy { after[$0, 12].y >= after[$0 - 1, 12].y }, "\(slope)")
      }
    }
    for size in [1, 2, 3, 5] {
      let small = try DetailFixture.gray(size, 1) { x, _ in Float(x) + 0.4 }
      #expect(DetailFixture.isFinite(try rendered(small, 1)))
    }
  }

  /// A map made from a smaller rendition of the picture serves the larger one.
  @Test func gainsOfASmallPictureFit() throws {
    let large = LocalToneMapTests.room
    let small = try DetailFixture.picture(80, 60) { x, y in
      (large[2 * x, 2 * y] + large[2 * x + 1, 2 * y + 1]) / 2
    }
    let gains = try ContrastGains(try LuminanceProxy(small))
    let after = try DetailFixture.read(MedianContrast(large, try Settings(amount: 1), gains: gains))
    #expect(try after.lightStatistics().contentHeadroom <= large.info.peak)
    #expect(DetailFixture.chromaticityError(after, large) < 1e-5)
    #expect(change(after, large) < 0.76 && change(after, large) > 0.1)
  }
}
