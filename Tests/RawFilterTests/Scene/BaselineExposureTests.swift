import ImageCore
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct BaselineExposureTests {
  static let scene: [SIMD3<Double>] = (0..<400).map { i in
    let y = 0.4 * Double((i * 37) % 400) / 400
    return SIMD3(y, y * 0.9, y * 0.7)
  }

  @Test func lightnessOfKnownLight() {
    // CIE 15: 18.42 % is L* 50, white is 100, black 0.
    #expect(abs(BaselineExposure.lightness(0.1842) - 50) < 0.01)
    #expect(BaselineExposure.lightness(1) == 100 && BaselineExposure.lightness(0) == 0)
    #expect(abs(BaselineExposure.meanLightness(srgb: [119, 119, 119]) - 50) < 0.2)
  }

  @Test(arguments: [-0.5, 0, 0.7, 2.5]) func findsTheStopsAgain(stops: Double) {
    let target = BaselineExposure.meanLightness(scene: Self.scene, peak: 0.5, stops: stops)
    let found = BaselineExposure.matching(target, scene: Self.scene, peak: 0.5)
    #expect(abs(Double(found) - stops) < 0.011)
  }

  @Test func staysWithinItsLimits() {
    #expect(BaselineExposure.matching(100, scene: Self.scene, peak: 0.5) == 4)
    #expect(BaselineExposure.matching(0, scene: Self.scene, peak: 0.5) == -1)
  }
}
