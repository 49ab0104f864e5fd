import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct RichardsonLucyTests {
  /// `luminance` blurred by a Gaussian of `sigma`, by its definition.
  static func blurred(
    _ size: Int, sigma: Double, _ scene: (Int, Int) -> Double
  ) -> (Int, Int) -> Float {
    let reach = Int((5 * sigma).rounded(.up))
    let taps = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = taps.reduce(0, +)
    var rows = [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
    var result = rows
    for y in 0..<size {
      for x in 0..<size {
        for k in -reach...reach { rows[y][x] += taps[k + reach] / sum * scene(x + k, y) }
      }
    }
    for y in 0..<size {
      for x in 0..<size {
        for k in -reach...reach {
          result[y][x] += taps[k + reach] / sum * rows[min(max(y + k, 0), size - 1)][x]
        }
      }
    }
    return { Float(result[$1][$0]) }
  }

  static func estimate(
    _ sigma: Double, size: Int = 40, _ luminance: (Int, Int) -> Float
  ) throws -> (Int, Int) -> Float {
    let plane = TilePlane()
    let region = PixelRect(x: 0, y: 0, width: size, height: size)
    try plane.reshape(region)
    for y in 0..<size { for x in 0..<size { plane.row(y)[x] = luminance(x, y) } }
    let scratch = (0..<5).map { _ in TilePlane() }
    let sharp = try RichardsonLucy(sigma: Float(sigma)).estimate(
      plane, region, floor: 1e-4, scratch)
    return { sharp.row($1)[$0] }
  }

  /// Sum and peak of a star over a dark sky are restored.
  @Test(arguments: [(0.6, 0.85), (0.8, 0.6), (1.0, 0.4)])
  func starIsRecovered(sigma: Double, fraction: Double) throws {
    let blurred = Self.blurred(40, sigma: sigma) { $0 == 20 && $1 == 20 ? 2.01 : 0.01 }
    let sharp = try Self.estimate(sigma, blurred)
    #expect(Double(sharp(20, 20)) > 2 * fraction, "\(blurred(20, 20)) → \(sharp(20, 20))")
    #expect(sharp(20, 20) > 1.8 * blurred(20, 20))
    var sum = 0.0
    for y in 12..<29 { for x in 12..<29 { sum += Double(sharp(x, y)) - 0.01 } }
    #expect(abs(sum - 2) < 0.02, "\(sum)")
  }

  @Test func constantsStay() throws {
    for value: Float in [1e-4, 0.18, 40, 1e6] {
      let sharp = try Self.estimate(0.8) { _, _ in value }
      for i in 0..<40 { #expect(abs(sharp(i, 39 - i) / value - 1) < 1e-5) }
    }
  }

  /// What a tile is given around it is enough.
  @Test(arguments: [0.5, 0.72, 1.0, 1.5])
  func haloIsEnough(sigma: Double) throws {
    let halo = RichardsonLucy(sigma: Float(sigma)).halo
    let luminance = Self.blurred(120, sigma: max(sigma, 0.6)) { x, y in
      Double(SensorFixture.hash(x / 3, y / 2)) * (x < 60 ? 0.2 : 2) + 0.05
    }
    let whole = try Self.estimate(sigma, size: 120, luminance)
    let side = 16 + 2 * halo
    let left = 60 - side / 2
    let part = try Self.estimate(sigma, size: side) { luminance($0 + left, $1 + left) }
    var worst: Float = 0
    for y in halo..<halo + 16 {
      for x in halo..<halo + 16 {
        worst = max(worst, abs(part(x, y) / whole(x + left, y + left) - 1))
      }
    }
    #expect(worst < 1e-3, "\(worst)")
  }
}
