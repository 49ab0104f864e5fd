import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct BaselineExposureTests {
  /// A damaged tag would make the gain infinite.
  @Test(arguments: [40.0, -40])
  func whatIsNoCamerasIsLeftOut(stops: Double) throws {
    var dng = TinyDNG()
    dng.fields[50730] = .fractions([0.5])
    #expect(try RAWFilter(data: dng.data).rawFile.info.baselineExposure == 0.5)
    dng.fields[50730] = .fractions([stops])
    let filter = try RAWFilter(data: dng.data)
    #expect(filter.rawFile.info.warnings.contains { $0.contains("BaselineExposure") })
    _ = try filter.rendition()
  }

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

  @Test(arguments: [-0.5, 0, 0.7, 2.5], [1.2, 1.35])
  func findsTheStopsAgain(stops: Double, contrast: Double) {
    let target = BaselineExposure.meanLightness(
      scene: Self.scene, peak: 0.5, stops: stops, contrast: contrast)
    let found = BaselineExposure.matching(
      target, scene: Self.scene, peak: 0.5, contrast: contrast)
    #expect(abs(Double(found) - stops) < 0.011)
  }

  /// Half a hundredth of a stop less is too dark, half a hundredth more is not.
  @Test(arguments: [0.02, 0.5, 1, 7], [1.2, 1.35])
  func isExactToTheHundredth(peak: Double, contrast: Double) {
    let scene = Self.scene.map { $0 * peak }
    for target in stride(from: 3.0, through: 93, by: 1.7) {
      let found = Double(
        BaselineExposure.matching(target, scene: scene, peak: peak, contrast: contrast))
      func lightness(_ stops: Double) -> Double {
        BaselineExposure.meanLightness(
          scene: scene, peak: peak, stops: stops, contrast: contrast)
      }
      if found > -0.999 { #expect(lightness(found - 0.005) < target) }
      if found < 3.999 { #expect(lightness(found + 0.005) >= target) }
    }
  }

  @Test func staysWithinItsLimits() {
    #expect(BaselineExposure.matching(100, scene: Self.scene, peak: 0.5) == 4)
    #expect(BaselineExposure.matching(0, scene: Self.scene, peak: 0.5) == -1)
  }

  /// A DNG that leaves its look to others has the brightness of its preview; one that
  /// states its exposure keeps it.
  @Test(arguments: [
    ("lgH815_lossy_1mp", true), ("derived_hdrmerge_float16", true),
    ("adobe_01_jxl_linear_raw_integer", false), ("bmpcc_coffee", false),
  ])
  func previewsOfDNGs(name: String, isMatched: Bool) throws {
    var filter = try RAWFilter(data: Data(try SharedFiles.bytes("raws/\(name).dng")))
    let shown = try filter.resolvedBaselineExposure()
    filter.boostAmount = 0
    let stated = try filter.resolvedBaselineExposure()
    #expect(isMatched ? shown > stated + 0.3 : shown == stated, "\(shown), stated \(stated)")
  }
}
