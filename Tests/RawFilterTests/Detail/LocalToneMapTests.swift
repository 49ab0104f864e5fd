import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct LocalToneMapTests {
  typealias Settings = LocalToneMap.Settings

  /// A dark room with texture and a bright window, a lamp far above white.
  static let room = certain {
    try DetailFixture.picture(160, 120) { x, y in
      let texture = 1 + 0.3 * SensorFixture.hash(x / 2, y / 2)
      let isWindow = x > 90 && x < 140 && y > 20 && y < 90
      var color = (isWindow ? 1.5 : 0.02) * texture * SIMD3<Float>(1, 0.9, 0.7)
      if Foundation.hypot(Float(x) - 40, Float(y) - 30) < 4 { color = SIMD3(9, 7, 3) }
      if x > 10, x < 30, y > 90 { color = SIMD3(0.04, -0.002, 0.01) }
      return color
    }
  }

  private func rendered(
    _ image: Image<SceneLinear>, _ amount: Float
  ) throws -> Image<SceneLinear> {
    try DetailFixture.read(try LocalToneMap(image, try Settings(amount: amount), workers: 2))
  }

  @Test func neutralSettingsReturnTheSource() throws {
    for image in [Self.room, DetailFixture.busy] {
      #expect(DetailFixture.differences(try rendered(image, 0), image) == 0)
    }
    #expect(try Settings().isNeutral)
  }

  @Test func settingsAreChecked() {
    for amount: Float in [-0.1, 1.1, .nan, .infinity] {
      #expect(throws: RAWError.self) { try Settings(amount: amount) }
    }
  }

  @Test func isTheSameHoweverItIsCutAndMade() throws {
    let settings = try Settings(amount: 0.7)
    let stage = try LocalToneMap(DetailFixture.busy, settings, workers: 1)
    #expect(try DetailFixture.cutDependence(stage) == 0)
    let other = try LocalToneMap(DetailFixture.busy, settings, workers: 4)
    #expect(
      try DetailFixture.differences(DetailFixture.read(stage), DetailFixture.read(other)) == 0)
  }

  @Test(arguments: [0.5, 1])
  func brightnessColorAndHeadroomStay(amount: Float) throws {
    for image in [Self.room, DetailFixture.busy] {
      let after = try rendered(image, amount)
      let shift = DetailFixture.meanStops(after) - DetailFixture.meanStops(image)
      #expect(abs(shift) < 0.05, "\(shift)")
      let headroom = try after.lightStatistics().contentHeadroom
      #expect(try abs(headroom / image.lightStatistics().contentHeadroom - 1) < 0.02)
      #expect(headroom <= image.info.peak)
      #expect(DetailFixture.chromaticityError(after, image) < 1e-5)
    }
  }

  /// Mean stops of the room and of the window, and the contrast of the room's texture.
  @Test func shadowsRiseAndHighlightsComeDownWithTheAmount() throws {
    func stops(_ image: Image<SceneLinear>, _ xs: Range<Int>, _ ys: Range<Int>) -> [Double] {
      ys.flatMap { y in xs.map { log2(Double(image[$0, y].y)) } }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    func spread(_ values: [Double]) -> Double {
      let middle = mean(values)
      return mean(values.map { ($0 - middle) * ($0 - middle) }).squareRoot()
    }
    let pictures = try [0, 0.25, 0.5, 1].map { try rendered(Self.room, $0) }
    let room = pictures.map { mean(stops($0, 50..<80, 40..<110)) }
    let window = pictures.map { mean(stops($0, 96..<134, 26..<84)) }
    let texture = pictures.map { spread(stops($0, 50..<80, 40..<110)) }
    print("room \(room) window \(window) texture \(texture)")
    #expect(zip(room, room.dropFirst()).allSatisfy { $0 + 0.01 < $1 }, "\(room)")
    #expect(zip(window, window.dropFirst()).allSatisfy { $0 - 0.01 > $1 }, "\(window)")
    #expect(texture[3] > 0.9 * texture[0] && texture[3] < 1.1 * texture[0], "\(texture)")
  }

  /// Steps of half a stop, one and two from 2⁻¹⁰ to 2⁴: each is brighter than the one before, and
  /// no flat part falls by a hundredth of a stop.
  @Test(arguments: [0.5, 1], [(0.5, 20), (1, 24), (1, 70), (2, 24)])
  func stepChartKeepsItsOrder(amount: Float, steps: (stops: Float, width: Int)) throws {
    let width = steps.width
    let count = Int(14 / steps.stops) * width
    let chart = try DetailFixture.gray(count, 40) { x, _ in
      exp2(Float(x / width) * steps.stops - 10)
    }
    let after = try rendered(chart, amount)
    var (tilt, minimum, fall) = (0.0, Double.infinity, 0.0)
    for x in 1..<count {
      let change = log2(Double(after[x, 20].y)) - log2(Double(after[x - 1, 20].y))
      if x % width == 0 {
        minimum = min(minimum, change)
        tilt = 0
      } else {
        tilt -= change
        fall = max(fall, tilt)
      }
    }
    print(
      "amount \(amount), steps \(steps): minimum step \(minimum) EV, fall inside a step \(fall) EV")
    #expect(minimum > 0.4 * Double(steps.stops), "\(minimum)")
    #expect(fall < 0.01, "\(fall)")
  }

  @Test func rampsStayOrdered() throws {
    let ramp = try DetailFixture.gray(400, 24) { x, _ in exp2(Float(x) * 0.05 - 14) }
    let after = try rendered(ramp, 1)
    #expect((1..<400).allSatisfy { after[$0, 12].y >= after[$0 - 1, 12].y })
  }

  /// A map made from a smaller rendition of the picture serves the larger one.
  @Test func gainsOfASmallPictureFit() throws {
    let small = try DetailFixture.picture(80, 60) { x, y in
      (Self.room[2 * x, 2 * y] + Self.room[2 * x + 1, 2 * y + 1]) / 2
    }
    let settings = try Settings(amount: 1)
    let gains = try LocalToneGains(try LuminanceProxy(small))
    let after = try DetailFixture.read(LocalToneMap(Self.room, settings, gains: gains))
    let own = try rendered(Self.room, 1)
    var sum = 0.0
    for y in 0..<120 {
      for x in 0..<160 {
        sum += Double(abs(log2(max(after[x, y].x, 1e-4) / max(own[x, y].x, 1e-4))))
      }
    }
    #expect(sum / 19200 < 0.1, "\(sum / 19200)")
  }

  @Test func proxyHoldsMeans() throws {
    let proxy = try LuminanceProxy(Self.room, longestSide: 40, workers: 2)
    #expect(proxy.cell == 4 && proxy.size == PixelSize(width: 40, height: 30))
    #expect(try proxy.peak == Self.room.lightStatistics().contentHeadroom)
    var sum: Float = 0
    for y in 48..<52 { for x in 96..<100 { sum += DetailFixture.luminance(Self.room[x, y]) } }
    #expect(abs(proxy.planes.row(0, 12)[24] - sum / 16) < 1e-5)
    let odd = try LuminanceProxy(Self.room, longestSide: 23)
    #expect(odd.cell == 7 && odd.size == PixelSize(width: 23, height: 18))
  }

  @Test(arguments: [Float(0), 0.18, -0.3, 1, 60_000])
  func constantsStay(value: Float) throws {
    let worst = try DetailFixture.largestChange(of: value) { try rendered($0, 1) }
    #expect(worst <= abs(value) * 1e-4)
  }

  @Test func extremesStayFinite() throws {
    #expect(DetailFixture.isFinite(try rendered(DetailFixture.extremes, 1)))
    for size in [1, 2, 3, 5] {
      let small = try DetailFixture.gray(size, 1) { x, _ in Float(x) + 0.4 }
      #expect(DetailFixture.isFinite(try rendered(small, 1)))
    }
  }
}
