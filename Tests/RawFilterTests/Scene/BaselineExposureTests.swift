import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import HDRRender
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

  static let scene: [SIMD3<Float>] = (0..<400).map { i in
    let y = 0.4 * Float((i * 37) % 400) / 400
    return SIMD3(y, y * 0.9, y * 0.7)
  }
  static let looks = [ToneLook.standard, .faithful]

  static func buffer(_ scene: [SIMD3<Float>], times gain: Float = 1) -> PlanarBuffer {
    certain {
      let buffer = try PlanarBuffer(size: PixelSize(width: scene.count, height: 1))
      for (x, pixel) in scene.enumerated() {
        for plane in 0..<3 { buffer.row(plane, 0)[x] = pixel[plane] * gain }
      }
      return buffer
    }
  }

  @Test func lightnessOfKnownLuminance() {
    // CIE 15: 18.42 % is L* 50, white is 100, black 0.
    #expect(abs(BaselineExposure.lightness(0.1842) - 50) < 0.01)
    #expect(BaselineExposure.lightness(1) == 100 && BaselineExposure.lightness(0) == 0)
    #expect(abs(BaselineExposure.meanLightness([119, 119, 119], .srgb) - 50) < 0.2)
  }

  @Test(arguments: [-0.5, 0, 0.7, 2.5], looks)
  func findsTheStopsAgain(stops: Double, style: ToneLook) throws {
    let scene = Self.buffer(Self.scene)
    let target = try BaselineExposure.meanLightness(
      scene: scene, peak: 0.5, stops: stops, style: style)
    let found = try BaselineExposure.matching(target, scene: scene, peak: 0.5, style: style)
    #expect(abs(Double(found) - stops) < 0.011)
  }

  /// Half a hundredth of a stop less is too dark, half a hundredth more is not.
  @Test(arguments: [Float(0.02), 0.5, 1, 7], looks)
  func isExactToTheHundredth(peak: Float, style: ToneLook) throws {
    let scene = Self.buffer(Self.scene, times: peak)
    for target in stride(from: 3.0, through: 93, by: 1.7) {
      let found = Double(
        try BaselineExposure.matching(target, scene: scene, peak: peak, style: style))
      func lightness(_ stops: Double) throws -> Double {
        try BaselineExposure.meanLightness(scene: scene, peak: peak, stops: stops, style: style)
      }
      if found > -0.999 { #expect(try lightness(found - 0.005) < target) }
      if found < 3.999 { #expect(try lightness(found + 0.005) >= target) }
    }
  }

  /// Typical mean lightness, with few pixels brighter than white; black frames stay black.
  @Test func withoutAPreviewTheSceneDecides() throws {
    func stops(_ peak: Float) throws -> Double {
      Double(
        try BaselineExposure.ofScene(
          Self.buffer(Self.scene, times: peak), peak: peak, style: .standard))
    }
    for peak in [Float(0.2), 0.5, 1] {
      let found = try stops(peak)
      #expect(found > 0 && found < 3)
      let shown = try BaselineExposure.meanLightness(
        scene: Self.buffer(Self.scene, times: peak), peak: peak, stops: found, style: .standard)
      // The red of the brightest 2 % is white, or the mean lightness is typical.
      let white = Double(0.392 * peak) * exp2(found)
      #expect(abs(shown - 48) < 0.3 || abs(white - 1) < 0.01, "\(found): \(shown), \(white)")
    }
    #expect(try stops(8) == 0 && stops(0.001) == 0)
  }

  @Test func staysWithinItsLimits() throws {
    let scene = Self.buffer(Self.scene)
    #expect(try BaselineExposure.matching(100, scene: scene, peak: 0.5) == 4)
    #expect(try BaselineExposure.matching(0, scene: scene, peak: 0.5) == -1)
  }

  /// What counts is what is drawn: blue outside of the gamut of sRGB as dark as the blue of sRGB
  /// that it becomes.
  @Test func colorsOutsideOfTheGamutCountAsTheyAreDrawn() throws {
    let blue = Self.buffer(Array(repeating: SIMD3(0.01, -0.02, 0.5), count: 64))
    let found = try BaselineExposure.meanLightness(
      scene: blue, peak: 0.5, stops: 0, style: .faithful)
    #expect(found > 10 && found < 32.3)
  }

  /// A DNG that leaves its look to others has the brightness of its preview, or without one that of
  /// pictures; one that states its exposure, or has a curve of its own, keeps it.
  @Test(arguments: [
    ("raws/lgH815_lossy_1mp", true), ("raws/derived_hdrmerge_float16", true),
    ("raws/canonKissX4_colorchart", true), ("raws/bmpcc_coffee", false),
    ("dng/hdr_look_4", false), ("dng/proraw_unc16", false),
  ])
  func exposureOfDNGs(name: String, isMatched: Bool) throws {
    var filter = try RAWFilter(data: Data(try SharedFiles.bytes("\(name).dng")))
    let shown = try filter.resolvedBaselineExposure()
    filter.boostAmount = 0
    let stated = try filter.resolvedBaselineExposure()
    #expect(isMatched ? shown > stated + 0.3 : shown == stated, "\(shown), stated \(stated)")
  }
}
