import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct DehazeTests {
  typealias Settings = Dehaze.Settings

  /// Airlight of ``hazy``.
  static let air = SIMD3<Float>(0.7, 0.75, 0.8)

  /// What comes through the air: all of it at the left, less and less of it to the right.
  static func transmission(_ x: Int) -> Float { 1 - 0.6 * Float(x / 20) / 9 }

  /// Blocks of strong colors without air; a sky above them.
  static func clear(_ x: Int, _ y: Int) -> SIMD3<Float> {
    guard y > 24 else { return air }
    let level = 0.1 + 0.4 * SensorFixture.busy(x / 3, y / 3, 1)
    return level * [SIMD3(1, 0.5, 0), SIMD3(0, 1, 0.4), SIMD3(0.3, 0, 1)][(x / 3 + y / 3) % 3]
  }

  static let hazy = certain {
    try DetailFixture.picture(200, 120) { x, y in
      let t = transmission(x)
      return clear(x, y) * t + air * (1 - t)
    }
  }

  private func rendered(
    _ image: Image<SceneLinear>, _ amount: Float, like picture: Image<SceneLinear>? = nil
  ) throws -> Image<SceneLinear> {
    let map = try HazeMap(picture ?? image, LuminanceProxy(picture ?? image))
    return try DetailFixture.read(Dehaze(image, try Settings(amount: amount), map: map))
  }

  /// Root of the mean squared distance from the scene without air, below the sky.
  private func distance(_ image: Image<SceneLinear>) -> Float {
    var sum: Float = 0
    for y in 40..<120 {
      for x in 0..<200 {
        let difference = image[x, y] - Self.clear(x, y)
        sum += (difference * difference).sum()
      }
    }
    return (sum / Float(80 * 200)).squareRoot()
  }

  @Test func settingsAreChecked() {
    for amount: Float in [-1.1, 1.1, .nan, .infinity] {
      #expect(throws: RAWError.self) { try Settings(amount: amount) }
    }
    #expect((try? Settings())?.isNeutral == true)
  }

  @Test func theAirlightIsFound() throws {
    let map = try HazeMap(Self.hazy, LuminanceProxy(Self.hazy))
    let expected = (Self.air + SIMD3(repeating: Self.air.max())) / 2
    #expect((map.air - expected).max() < 0.02 && (expected - map.air).max() < 0.02)
    // A picture without haze gets a gray airlight.
    let blue = try DetailFixture.picture(60, 40) { x, _ in SIMD3(0, 0.1, Float(x) / 30) }
    #expect(try HazeMap(blue, LuminanceProxy(blue)).air == SIMD3(repeating: HazeMap.gray))
  }

  /// A scene that air was put before comes back, the more the larger the amount.
  @Test func hazeIsTakenOut() throws {
    let distances = try [0, 0.25, 0.5, 0.75, 1].map { distance(try rendered(Self.hazy, $0)) }
    print("haze: \(distances)")
    #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
    #expect(distances[4] < 0.55 * distances[0])
  }

  /// Below 0 everything comes nearer to the air.
  @Test func hazeIsAdded() throws {
    let spreads = try [Float(-1), -0.5, 0].map { amount -> Float in
      let image = try rendered(Self.hazy, amount)
      var (low, high) = (Float.infinity, -Float.infinity)
      for y in 40..<120 {
        for x in 0..<200 {
          low = min(low, image[x, y].max())
          high = max(high, image[x, y].max())
        }
      }
      return high - low
    }
    #expect(spreads[0] < spreads[1] * 0.95 && spreads[1] < spreads[2] * 0.95)
  }

  /// A dark roof in front of a sky: no glow along its edge.
  @Test func edgesHaveNoHalo() throws {
    let image = try DetailFixture.picture(300, 200) { _, y in
      y < 100 ? SIMD3(0.4, 0.5, 0.8) : y < 104 ? SIMD3(0.01, 0.01, 0.012) : SIMD3(0.3, 0.2, 0.05)
    }
    let after = try rendered(image, 1)
    let far = after[150, 20]
    for y in 60..<99 {
      let near = after[150, y]
      #expect(abs(near.x / far.x - 1) < 0.06 && abs(near.z / far.z - 1) < 0.06, "\(y)")
    }
  }

  @Test(arguments: [Float(-1), -0.5, 0.5, 1]) func nothingFallsOut(amount: Float) throws {
    for image in [Self.hazy, DetailFixture.busy] {
      let after = try rendered(image, amount)
      #expect(try after.lightStatistics().contentHeadroom <= image.info.peak)
      for y in 0..<image.size.height {
        for x in 0..<image.size.width where image[x, y].min() >= 0 {
          #expect(after[x, y].min() >= 0)
        }
      }
    }
    #expect(DetailFixture.isFinite(try rendered(DetailFixture.extremes, amount)))
    for size in [1, 2, 5] {
      let small = try DetailFixture.gray(size, 1) { x, _ in Float(x) + 0.4 }
      #expect(DetailFixture.isFinite(try rendered(small, amount)))
    }
  }

  @Test(arguments: [Float(-0.7), 0.7]) func isTheSameHoweverItIsCutAndMade(amount: Float) throws {
    let settings = try Settings(amount: amount)
    func stage(_ workers: Int) throws -> Dehaze {
      let proxy = try LuminanceProxy(DetailFixture.busy, longestSide: 75, workers: workers)
      let map = try HazeMap(DetailFixture.busy, proxy, workers: workers)
      return Dehaze(DetailFixture.busy, settings, map: map)
    }
    #expect(try DetailFixture.cutDependence(stage(1)) == 0)
    let (one, four) = (try DetailFixture.read(stage(1)), try DetailFixture.read(stage(4)))
    #expect(DetailFixture.differences(one, four) == 0)
  }
}
