import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct SharpeningRadiusTests {
  /// Discs of many sizes and levels, their edges blurred by a Gaussian, through a filter pattern.
  static func sensor(_ cfa: CFA, sigma: Float, noise: Float = 0, clip: Float = 1) -> SensorData {
    let (width, height) = (360, 240)
    var luminance = [Float](repeating: 0.2, count: width * height)
    for i in 0..<90 {
      let x0 = SensorFixture.hash(i, 1) * Float(width)
      let y0 = SensorFixture.hash(i, 2) * Float(height)
      let radius = 3 + 37 * SensorFixture.hash(i, 3)
      let level = 0.02 * pow(Float(45), SensorFixture.hash(i, 4))
      let (top, bottom) = (max(Int(y0 - radius - 6), 0), min(Int(y0 + radius + 6), height))
      let (left, right) = (max(Int(x0 - radius - 6), 0), min(Int(x0 + radius + 6), width))
      for y in top..<max(bottom, top) {
        for x in left..<max(right, left) {
          let inside = radius - Foundation.hypot(Float(x) - x0, Float(y) - y0)
          let fraction = 0.5 * erfc(-inside / (sigma * Float(2).squareRoot()))
          luminance[y * width + x] += (level - luminance[y * width + x]) * fraction
        }
      }
    }
    return SensorFixture.sensor(width, height, cfa) { x, y, c in
      let value = luminance[y * width + x]
      return min(value + (noise * value).squareRoot() * SensorFixture.noise(x, y), clip)
    }
  }

  @Test(arguments: [0, 1e-4], [Float(0.5), 0.6, 0.7, 0.85, 1])
  func blurOfAMosaicIsFound(noise: Float, sigma: Float) throws {
    for cfa in SensorFixture.bayers {
      let found = try SharpeningRadius.measured(Self.sensor(cfa, sigma: sigma, noise: noise))
      #expect(abs(found / sigma - 1) < 0.12, "\(sigma): \(found)")
    }
    let found = try SharpeningRadius.measured(
      Self.sensor(SensorFixture.xTrans(x: 2, y: 1), sigma: sigma, noise: noise))
    #expect(abs(found / sigma - 1) < 0.15 || found == SharpeningRadius.unknown, "\(found)")
  }

  /// Only greens are compared: no camera answers to gray as gray.
  @Test(arguments: [Float(0.5), 0.7, 1]) func theIlluminantDoesNotMatter(sigma: Float) throws {
    for cfa in SensorFixture.bayers + [SensorFixture.xTrans(x: 2, y: 1)] {
      let gray = Self.sensor(cfa, sigma: sigma)
      let levels = try LinearLevels(gray, balance: SIMD4(0.45, 1, 0.7, 1))
      let plane = TilePlane()
      try plane.reshape(PixelRect(gray.size))
      levels.load(plane)
      let colored = SensorFixture.sensor(gray.size.width, gray.size.height, cfa) { x, y, _ in
        plane.row(y)[x]
      }
      let (a, b) = try (SharpeningRadius.measured(gray), SharpeningRadius.measured(colored))
      #expect(abs(a - b) < 0.01, "\(a), \(b)")
    }
  }

  @Test func workersDoNotMatter() throws {
    let data = Self.sensor(SensorFixture.bayers[1], sigma: 0.6)
    #expect(
      try SharpeningRadius.measured(data, workers: 1) == SharpeningRadius.measured(data, workers: 5)
    )
  }

  /// Without edges, without a mosaic, or if everything is saturated the default is used.
  @Test func otherwiseTheDefaultStands() throws {
    let cfa = SensorFixture.bayers[0]
    let pictures = [
      SensorFixture.sensor(64, 64, cfa) { _, _, _ in 0.3 },
      SensorFixture.sensor(64, 64, cfa) { x, _, _ in x % 9 < 4 ? 0.5 : 3 },
      SensorFixture.sensor(64, 64, cfa) { _, _, _ in -0.1 },
      SensorFixture.sensor(64, 64, cfa) { _, _, _ in .nan },
      SensorFixture.sensor(3, 3, cfa) { x, _, _ in Float(x) * 0.3 },
      SensorFixture.sensor(64, 64, CFA(width: 1, height: 1, channels: [0])) { x, _, _ in
        Float(x % 2)
      },
    ]
    for data in pictures {
      #expect(try SharpeningRadius.measured(data) == SharpeningRadius.unknown)
    }
  }

  /// Single bad photosites are no edges.
  @Test func hotPixelsDoNotCount() throws {
    let cfa = SensorFixture.bayers[2]
    let clean = Self.sensor(cfa, sigma: 0.8)
    let levels = try LinearLevels(clean, balance: SIMD4(repeating: 1))
    let plane = TilePlane()
    try plane.reshape(PixelRect(clean.size))
    levels.load(plane)
    let spoilt = SensorFixture.sensor(clean.size.width, clean.size.height, cfa) { x, y, _ in
      SensorFixture.hash(x, y, 9) < 0.002 ? 0.9 : plane.row(y)[x]
    }
    let difference = try SharpeningRadius.measured(spoilt) - SharpeningRadius.measured(clean)
    #expect(abs(difference) < 0.08, "\(difference)")
  }

  @Test func reducedPicturesAreSharper() {
    #expect(SharpeningRadius.scaled(0.8, by: 0.5) == 0.4)
    #expect(SharpeningRadius.scaled(0.8, by: 1) == 0.8)
  }
}
