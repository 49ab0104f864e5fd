import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct FineDetailTests {
  typealias Settings = FineDetail.Settings
  static let amounts: [Float] = [-1, 1, 3]

  private func rendered(
    _ image: Image<SceneLinear>, _ amount: Float, noise: Float = 0
  ) throws -> Image<SceneLinear> {
    let settings = try Settings(
      amount: amount, noise: try LuminanceNoise(slope: noise, offset: 0))
    return try DetailFixture.read(FineDetail(image, settings))
  }

  /// Standard deviation of log2 of green over the inner part.
  private func contrast(_ image: Image<SceneLinear>) -> Double {
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    for y in 8..<image.size.height - 8 {
      for x in 8..<image.size.width - 8 {
        let value = log2(Double(max(image[x, y].y, 1e-6)))
        sum += value
        squares += value * value
        count += 1
      }
    }
    return (squares / count - sum * sum / count / count).squareRoot()
  }

  @Test func neutralSettingsReturnTheSource() throws {
    let image = DetailFixture.busy
    #expect(DetailFixture.differences(try rendered(image, 0), image) == 0)
  }

  @Test func settingsAreChecked() {
    for amount: Float in [-1.1, 3.1, .nan, .infinity] {
      #expect(throws: RAWError.self) { try Settings(amount: amount) }
    }
  }

  @Test(arguments: amounts)
  func isTheSameHoweverItIsCut(amount: Float) throws {
    let settings = try Settings(
      amount: amount, noise: try LuminanceNoise(slope: 1e-4, offset: 1e-6))
    #expect(try DetailFixture.cutDependence(FineDetail(DetailFixture.busy, settings)) == 0)
  }

  @Test func effectRisesWithTheAmount() throws {
    let fine = try DetailFixture.gray(64, 64) { x, y in (x / 2 + y / 2) % 2 == 0 ? 0.2 : 0.21 }
    let details = try [-1, -0.5, 0, 0.5, 1, 2, 3].map { contrast(try rendered(fine, $0)) }
    #expect(zip(details, details.dropFirst()).allSatisfy { $0 * 1.05 < $1 }, "\(details)")
  }

  @Test(arguments: amounts)
  func brightnessColorAndPeakStay(amount: Float) throws {
    let image = DetailFixture.busy
    let after = try rendered(image, amount)
    let shift = DetailFixture.meanStops(after) - DetailFixture.meanStops(image)
    #expect(abs(shift) < 0.02, "\(shift)")
    #expect(DetailFixture.chromaticityError(after, image) < 1e-5)
    #expect(try after.lightStatistics().contentHeadroom <= image.info.peak)
  }

  /// Texture nearly goes at −1, with noise; edges stay as they are.
  @Test func textureIsSmoothedBelowZero() throws {
    let fine = try DetailFixture.gray(64, 64) { x, y in (x / 2 + y / 2) % 2 == 0 ? 0.2 : 0.21 }
    #expect(contrast(try rendered(fine, -1, noise: 0.01)) < 0.5 * contrast(fine))
  }

  /// Steps of one stop from 2⁻⁹ to 2³: order and direction stay, and nothing glows beside an edge.
  @Test(arguments: amounts, [1.0, 0.5])
  func stepChartKeepsItsOrder(amount: Float, stops: Double) throws {
    let width = 24
    let chart = try DetailFixture.gray(13 * width, 24) { x, _ in
      Float(exp2((Double(x / width) - 9) * stops))
    }
    let after = try rendered(chart, amount)
    var (minimum, halo) = (Double.infinity, 0.0)
    for x in 1..<13 * width {
      let before = log2(Double(chart[x, 12].y))
      let value = log2(Double(after[x, 12].y))
      if x % width == 0 {
        minimum = min(minimum, value - log2(Double(after[x - 1, 12].y)))
      }
      halo = max(halo, abs(value - before))
    }
    print("steps of \(stops) EV at \(amount): halo \(halo) EV, minimum step \(minimum)")
    #expect(minimum >= stops * (amount < 0 ? 0.9 : 0.999), "\(minimum)")
    #expect(halo < (stops == 1 ? 0.02 : 0.06), "\(halo)")
  }

  @Test(arguments: amounts)
  func noiseIsNotAmplified(amount: Float) throws {
    let image = try DetailFixture.gray(128, 96) { x, y in
      0.2 + 0.02 * Float(0.2).squareRoot() * SensorFixture.noise(x, y)
    }
    let (before, after) = (
      contrast(image), contrast(try rendered(image, amount, noise: 0.0004))
    )
    #expect(after < before * 1.01, "\(before) → \(after)")
  }

  @Test(arguments: [Float(0), 0.18, -0.3, 1, 60_000])
  func constantsStay(value: Float) throws {
    let worst = try DetailFixture.largestChange(of: value) { try rendered($0, 3) }
    #expect(worst <= abs(value) * 1e-6)
  }

  @Test func extremesStayFiniteAndOrdered() throws {
    #expect(DetailFixture.isFinite(try rendered(DetailFixture.extremes, 3)))
    let ramp = try DetailFixture.gray(200, 12) { x, _ in exp2(Float(x) * 0.15 - 14) }
    let after = try rendered(ramp, 3)
    #expect((1..<200).allSatisfy { after[$0, 6].y >= after[$0 - 1, 6].y })
    let small = try DetailFixture.gray(1, 1) { _, _ in 0.4 }
    #expect(try rendered(small, 3).size == small.size)
  }
}
