import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawSensor

@Suite struct DefectivePixelsTests {
  static let patterns = [SensorFixture.bayers[0], SensorFixture.xTrans()]

  private func pictures(
    _ cfa: CFA, width: Int = 96, _ light: (Int, Int, Int) -> Float
  ) throws -> (off: Image<CameraRGB>, on: Image<CameraRGB>) {
    let data = SensorFixture.sensor(width, width, cfa, light: light)
    return (
      try SensorFixture.picture(data, SensorSettings(defects: .kept)),
      try SensorFixture.picture(data, SensorSettings(defects: .byRange))
    )
  }

  private func largestChange(_ a: Image<CameraRGB>, _ b: Image<CameraRGB>) -> Float {
    var worst: Float = 0
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        let d = a[x, y] - b[x, y]
        worst = max(worst, abs(d.x), abs(d.y), abs(d.z))
      }
    }
    return worst
  }

  @Test(arguments: patterns)
  func hotAndDeadPhotositesAreReplaced(cfa: CFA) throws {
    let hot = [SIMD2(20, 20), SIMD2(41, 30), SIMD2(60, 61)]
    let dead = [SIMD2(30, 71), SIMD2(71, 40)]
    func clean(_ x: Int, _ y: Int) -> Float { 0.2 + 0.004 * SensorFixture.noise(x, y) }
    let (_, repaired) = try pictures(cfa) { x, y, _ in
      if hot.contains(SIMD2(x, y)) { return 0.9 }
      if dead.contains(SIMD2(x, y)) { return 0 }
      return clean(x, y)
    }
    let (wanted, _) = try pictures(cfa) { x, y, _ in clean(x, y) }
    #expect(largestChange(repaired, wanted) < 0.03)
  }

  @Test(arguments: patterns)
  func noiseAndTextureAreUntouched(cfa: CFA) throws {
    let (off, on) = try pictures(cfa, width: 576) { x, y, c in
      DemosaicQualityTests.truth(x, y)[c] + 0.002 * SensorFixture.noise(x, y)
    }
    #expect(largestChange(off, on) == 0)
    let (noisyOff, noisyOn) = try pictures(cfa) { x, y, _ in
      0.1 + 0.05 * SensorFixture.noise(x, y)
    }
    #expect(largestChange(noisyOff, noisyOn) == 0)
  }

  @Test(arguments: patterns)
  func hardEdgesAreUntouched(cfa: CFA) throws {
    let (off, on) = try pictures(cfa, width: 384) { x, y, c in 0.8 * SensorFixture.busy(x, y, c) }
    #expect(largestChange(off, on) == 0)
  }

  /// Stars of 1.2 photosites FWHM, at any position between the photosites, white and deep red.
  @Test(arguments: patterns, [SIMD3<Float>(1, 1, 1), SIMD3(1, 0.35, 0.3)])
  func starsAreUntouched(cfa: CFA, color: SIMD3<Float>) throws {
    let (off, on) = try pictures(cfa) { x, y, c in
      var light: Float = 0.02 + 0.001 * SensorFixture.noise(x, y)
      for i in 0..<36 {
        let sx = 10 + 15 * Float(i % 6) + SensorFixture.hash(i, 1)
        let sy = 10 + 15 * Float(i / 6) + SensorFixture.hash(i, 2)
        let (dx, dy) = (Float(x) - sx, Float(y) - sy)
        light += 0.8 * color[c] * exp(-2.773 * (dx * dx + dy * dy) / 1.44)
      }
      return light
    }
    #expect(largestChange(off, on) == 0)
  }
}
