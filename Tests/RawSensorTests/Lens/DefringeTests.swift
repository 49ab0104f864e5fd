import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct DefringeTests {
  /// A bright disc on dark ground, `blur` pixels wide at its edge in each channel.
  private static func disc(
    _ blur: SIMD3<Float>, brightness: SIMD3<Float> = SIMD3(repeating: 0.9)
  ) throws -> Image<CameraRGB> {
    try NoiseFixture.picture(160, 160) { x, y, c in
      let (dx, dy) = (Float(x) - 80, Float(y) - 80)
      let outside = (dx * dx + dy * dy).squareRoot() - 40
      return 0.02 + brightness[c] / (1 + exp(outside / blur[c]))
    }
  }

  /// Red and blue out of focus: a purple fringe outside. Green out of focus: a green one.
  static let fringes: [(SIMD3<Float>, Float)] = [
    (SIMD3(2, 0.8, 2.5), 1), (SIMD3(0.8, 2.2, 0.8), -1),
  ]

  /// How purple (`sign` 1) or green (−1) the ring outside of the disc is, in sum.
  private static func color(_ picture: Image<CameraRGB>, _ sign: Float) -> Float {
    var sum: Float = 0
    for y in 20..<140 {
      for x in 20..<140 {
        let (dx, dy) = (Float(x) - 80, Float(y) - 80)
        let outside = (dx * dx + dy * dy).squareRoot() - 40
        guard outside > 0, outside < 9 else { continue }
        let p = picture[x, y]
        let roots = SIMD3(p.x.squareRoot(), p.y.squareRoot(), p.z.squareRoot())
        sum += max(sign * ((roots.x + roots.z) / 2 - roots.y), 0)
      }
    }
    return sum
  }

  @Test(arguments: fringes)
  func amountZeroReturnsTheSourceBitForBit(blur: SIMD3<Float>, sign: Float) throws {
    let source = try Self.disc(blur)
    let result = try NoiseFixture.rendered(try Defringe(source, amount: 0))
    #expect(NoiseFixture.differences(result, source) == 0)
  }

  @Test(arguments: fringes)
  func fringesGo(blur: SIMD3<Float>, sign: Float) throws {
    let source = try Self.disc(blur)
    let before = Self.color(source, sign)
    var last = before
    for amount: Float in [0.25, 0.5, 0.75, 1] {
      let result = try NoiseFixture.rendered(try Defringe(source, amount: amount))
      let left = Self.color(result, sign)
      #expect(left < last)
      last = left
      var greens = 0
      for y in 0..<160 { for x in 0..<160 where result[x, y].y != source[x, y].y { greens += 1 } }
      #expect(greens == 0)
    }
    #expect(last < 0.35 * before, "\(last / before) is left")
  }

  /// A purple flower and a green leaf, as large as flowers are, with edges as sharp as they come.
  @Test(arguments: [SIMD3<Float>(0.5, 0.15, 0.8), SIMD3(0.2, 0.7, 0.15)], [Float(0.005), 0.9])
  func coloredSurfacesKeepTheirColor(color: SIMD3<Float>, ground: Float) throws {
    let source = try NoiseFixture.picture(160, 160) { x, y, c in
      let (dx, dy) = (Float(x) - 80, Float(y) - 80)
      let outside = (dx * dx + dy * dy).squareRoot() - 40
      return ground + (color[c] - ground) / (1 + exp(outside / 0.8))
    }
    let result = try NoiseFixture.rendered(try Defringe(source, amount: 1))
    var (worst, sum): (Float, Float) = (0, 0)
    for y in 30..<130 {
      for x in 30..<130 {
        let d = result[x, y] - source[x, y]
        let change = max(abs(d.x), abs(d.z)) / color.max()
        (worst, sum) = (max(worst, change), sum + change)
      }
    }
    #expect(sum / 5027 < 0.01, "\(sum / 5027) on average")
    #expect(worst < 0.2, "\(worst)")
  }

  @Test func whatHasNoEdgeNearStaysBitForBit() throws {
    let source = try NoiseFixture.picture(90, 70) { x, y, c in
      0.2 + 0.04 * sin(Float(x) * 0.1) * (c == 1 ? 1 : 1.4) + 0.003 * SensorFixture.noise(x, y, c)
    }
    let result = try NoiseFixture.rendered(try Defringe(source, amount: 1))
    #expect(NoiseFixture.differences(result, source) == 0)
  }

  @Test(arguments: [1, 2])
  func anyRectangleHoldsTheSamePixels(reduction: Int) throws {
    let noisy = try NoiseFixture.picture(120, 100) { x, y, c in
      SensorFixture.busy(x, y, c == 1 ? 1 : c)
    }
    let defringe = try Defringe(noisy, amount: 0.8, reduction: reduction)
    #expect(try NoiseFixture.differences(defringe, in: NoiseFixture.cuts(defringe.size)) == 0)
    let watched = WatchedPicture(noisy)
    let rect = PixelRect(x: 40, y: 40, width: 20, height: 10)
    try Defringe(watched, amount: 1, reduction: reduction).read(
      rect, into: PlanarBuffer(size: rect.size))
    #expect(watched.read.allSatisfy { rect.expanded(by: defringe.halo).contains($0) })
  }

  @Test func amountsOutsideTheirRangeAreRefused() {
    for amount: Float in [-0.1, 1.01, .nan] {
      #expect(throws: RAWError.self) { try Defringe(Self.disc(SIMD3(1, 1, 1)), amount: amount) }
    }
  }
}
