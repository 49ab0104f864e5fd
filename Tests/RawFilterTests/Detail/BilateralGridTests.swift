import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct BilateralGridTests {
  private func plane(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) throws -> TilePlane
  {
    let plane = TilePlane()
    try plane.reshape(PixelRect(x: 0, y: 0, width: width, height: height))
    for y in 0..<height { for x in 0..<width { plane.row(y)[x] = value(x, y) } }
    return plane
  }

  private func base(
    _ width: Int, _ height: Int, _ value: (Int, Int) -> Float
  ) throws -> (of: TilePlane, base: TilePlane) {
    let stops = try plane(width, height, value)
    let out = try plane(width, height) { _, _ in .nan }
    BilateralGrid(stops).slice(stops, into: out)
    return (stops, out)
  }

  @Test(arguments: [(1, 1), (2, 5), (16, 17), (49, 33)], [Float(0), -11.97, 15.93])
  func constantsAreTheirOwnBase(size: (Int, Int), value: Float) throws {
    let (_, base) = try base(size.0, size.1) { _, _ in value }
    for y in 0..<size.1 {
      for x in 0..<size.0 { #expect(abs(base.row(y)[x] - value) < 2e-3) }
    }
  }

  /// Beside a step of half a stop and more nothing of the other side is seen.
  @Test(arguments: [Float(0.5), 0.7, 1, 6], [8, 24, 70])
  func stepsStay(height: Float, width: Int) throws {
    let (stops, base) = try base(4 * width, 40) { x, _ in Float(x / width) * height - 3.03 }
    var worst: Float = 0
    for x in 0..<4 * width { worst = max(worst, abs(base.row(20)[x] - stops.row(20)[x])) }
    #expect(worst < 2e-3, "\(worst)")
  }

  /// Texture is not in the base, whatever is next to it.
  @Test func textureIsLeftOut() throws {
    let (stops, base) = try base(160, 120) { x, y in
      (x < 77 ? -4 : 2) + 0.2 * (SensorFixture.hash(x, y) - 0.5)
    }
    func spread(_ plane: TilePlane, _ xs: Range<Int>) -> Float {
      let values = xs.flatMap { x in (10..<110).map { plane.row($0)[x] } }
      let mean = values.reduce(0, +) / Float(values.count)
      return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count))
        .squareRoot()
    }
    for xs in [5..<76, 78..<155] {
      #expect(spread(base, xs) < 0.25 * spread(stops, xs), "\(spread(base, xs))")
    }
  }

  @Test func rampsStay() throws {
    let (stops, base) = try base(600, 20) { x, _ in Float(x) * 0.02 - 9 }
    for x in 0..<600 { #expect(abs(base.row(10)[x] - stops.row(10)[x]) < 0.15) }
    for x in 1..<600 { #expect(base.row(10)[x] >= base.row(10)[x - 1]) }
  }

  /// A picture brighter by a number of bins has a base brighter by as much.
  @Test func brightnessDoesNotMatter() throws {
    let value = { (x: Int, y: Int) in (x > 30 ? Float(-2) : 1) + SensorFixture.hash(x, y) }
    let (dark, bright) = (try base(60, 50, value).base, try base(60, 50) { value($0, $1) + 4 }.base)
    for y in 0..<50 {
      for x in 0..<60 { #expect(abs(dark.row(y)[x] + 4 - bright.row(y)[x]) < 1e-4) }
    }
  }
}
