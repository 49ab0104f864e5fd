import Foundation
import HDRRender
import ImageCore
import ImageFilters
import RawFilter
import SyntheticRaw
import TestSupport
import Testing

@testable import Tuning

struct MeasuringTests {
  private static let linear = {
    var settings = RAWSettings()
    (settings.boostAmount, settings.sharpnessAmount) = (0, 0)
    return settings
  }()

  @Test func fractionsAddUpToOne() async throws {
    let scene = try TuningScene(noise: 1e-4, pixels: TuningScene.busy)
    let session = try scene.session()
    for settings in [RAWSettings(), Self.linear] {
      let histogram = try await session.histogram(settings)
      #expect(histogram.firstStop == -12 && histogram.binsPerStop == 8)
      for fractions in [histogram.red, histogram.green, histogram.blue, histogram.luminance] {
        #expect(fractions.count == 144 && fractions.allSatisfy { $0 >= 0 })
        #expect(abs(fractions.reduce(0, +) - 1) < 1e-4)
      }
      #expect(
        histogram.saturated.count == 3 && histogram.saturated.allSatisfy { 0.001...0.2 ~= $0 })
    }
  }

  /// Luminance weighs the channels of BT.2020 (BT.2087: 0.2627, 0.6780, 0.0593).
  @Test func luminanceIsThatOfTheColor() throws {
    let colors: [(SIMD3<Float>, luminance: Float)] = [
      ([0.9, 0.05, 0.01], 0.27092), ([0.05, 0.9, 0.01], 0.62393), ([0.01, 0.05, 0.9], 0.08990),
    ]
    for (color, luminance) in colors {
      let size = PixelSize(width: 16, height: 8)
      let picture = try Image<DisplayReferred>(
        size: size, info: .init(primaries: .bt2020, headroom: 1)
      ) { buffer throws(PixelError) in
        for plane in 0..<3 {
          for y in 0..<size.height {
            for x in 0..<size.width { buffer.row(plane, y)[x] = color[plane] }
          }
        }
      }
      let histogram = try LuminanceHistogram(picture, workers: 2)
      func bin(_ level: Float) -> Int { Int((log2(level) + 12) * 8) }
      #expect(histogram.luminance[bin(luminance)] == 1, "\(color)")
      #expect(histogram.red[bin(color.x)] == 1 && histogram.blue[bin(color.z)] == 1, "\(color)")
    }
  }

  @Test func valuesAreInTheBinOfTheirStops() async throws {
    // Half of the picture at 1/4, half at 2.
    let scene = try TuningScene { x, _ in SIMD3(repeating: x < 240 ? 0.26 : 2.1) }
    let histogram = try await scene.session().histogram(Self.linear)
    func bin(_ level: Float) -> Int { Int((log2(level) + 12) * 8) }
    for fractions in [histogram.red, histogram.green, histogram.blue, histogram.luminance] {
      #expect(abs(fractions[bin(0.26)] - 0.5) < 0.02 && abs(fractions[bin(2.1)] - 0.5) < 0.02)
    }
    #expect(abs(histogram.contentHeadroom - 2.1) < 0.03 && histogram.saturated == [0, 0, 0])
  }

  @Test func nothingIsBrighterThanTheHeadroomLimit() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let session = try scene.session()
    #expect(try await session.histogram(RAWSettings()).contentHeadroom > 2.2)
    let histogram = try await session.histogram(RAWSettings(), headroomLimit: 2)
    #expect((1.5...2.001).contains(histogram.contentHeadroom))
    var request = TuningRequest.full()
    (request.isHDR, request.form, request.headroomLimit) = (true, .avif, 2)
    #expect(try await session.picture(request, viewer: "main").headroom < 2.001)
    // In the lamp.
    let pixel = try await session.readout(RAWSettings(), headroomLimit: 2, x: 300, y: 100)
    #expect(pixel.nits.allSatisfy { $0 < 2.001 * Float(ReferenceWhite.nits) })
    let free = try await session.readout(RAWSettings(), x: 300, y: 100)
    #expect((free.nits.max() ?? 0) > 2.2 * Float(ReferenceWhite.nits))
  }

  @Test func aReadoutIsTheDisplayedPixel() async throws {
    let scene = try TuningScene(orientation: .left, noise: 1e-4, pixels: TuningScene.busy)
    let session = try scene.session()
    var settings = RAWSettings()
    settings.frame.straightenAngle = 2
    let displayed = try await session.picture(.full(settings), viewer: "main")
    let points = [
      (0, 0), (13, 57), (displayed.size.width - 1, displayed.size.height - 1), (150, 200),
    ]
    for (x, y) in points {
      let pixel = try await session.readout(settings, x: x, y: y)
      #expect(pixel.sdr == [displayed[x, y].x, displayed[x, y].y, displayed[x, y].z].map(Int.init))
    }
    await #expect(throws: RAWError.self) {
      try await session.readout(settings, x: displayed.size.width, y: 0)
    }
    for (x, y) in [(-1, 0), (Int.max, 0), (0, Int.min)] {
      await #expect(throws: RAWError.self) { try await session.readout(settings, x: x, y: y) }
      await #expect(throws: RAWError.self) { try await session.white(settings, x: x, y: y) }
    }
  }

  @Test func aReadoutHasTheSceneValues() async throws {
    let radiance: SIMD3<Float> = [1.6, 0.8, 0.4]
    let scene = try TuningScene { x, _ in x < 240 ? radiance : SIMD3(5, 0.5, 0.5) }
    let session = try scene.session()
    let pixel = try await session.readout(Self.linear, x: 100, y: 150)
    for channel in 0..<3 {
      #expect(abs(pixel.scene[channel] / radiance[channel] - 1) < 0.01)
      let nits = radiance[channel] * Float(ReferenceWhite.nits)
      #expect(abs(pixel.nits[channel] / nits - 1) < 0.01)
      #expect(abs(Double(pixel.pq[channel]) - 1023 * PQ.signal(nits: Double(nits))) < 3)
    }
    let luminance = (radiance * SIMD3<Float>(Primaries.bt2020.luminance)).sum()
    #expect(abs((pixel.stops ?? -99) - log2(luminance)) < 0.02)
    #expect(pixel.saturated == [false, false, false])
    #expect(
      try await session.readout(Self.linear, x: 400, y: 50).saturated == [true, false, false])
  }

  @Test func theWhitePickerMakesItsPixelNeutral() async throws {
    // A gray card under warm light, recorded as daylight; strong colors around it.
    let scene = try TuningScene(orientation: .right) { x, y in
      (200..<280).contains(x) && (120..<200).contains(y)
        ? SIMD3(0.5, 0.4, 0.25) : SIMD3(0.1, 0.3, 0.6)
    }
    let session = try scene.session()
    for angle in [0, 4] as [Float] {
      var settings = RAWSettings()
      settings.frame.straightenAngle = angle
      let displayed = try await session.picture(.full(settings), viewer: "main")
      let (x, y) = (displayed.size.width / 2, displayed.size.height / 2)
      let before = try await session.readout(settings, x: x, y: y).scene
      #expect(before[0] > before[2] * 1.5)
      let white = try await session.white(settings, x: x, y: y)
      #expect((white.neutralTemperature ?? 0) < 5500)
      try #require(white.neutralLocation.count == 2)
      let point = PixelPoint(x: white.neutralLocation[0], y: white.neutralLocation[1])
      // Whichever of them is set.
      for way in [
        WhiteBalance.location(point),
        .temperature(kelvin: white.neutralTemperature, tint: white.neutralTint),
      ] {
        settings.neutral = way
        let after = try await session.readout(settings, x: x, y: y).scene
        #expect((after.max() ?? 1) / (after.min() ?? 1) < 1.03)
      }
      await #expect(throws: RAWError.self) {
        try await session.white(settings, x: displayed.size.width, y: 0)
      }
    }
  }

  @Test func theStateSaysWhatHolds() async throws {
    let scene = try TuningScene(orientation: .right, pixels: TuningScene.busy)
    let session = try scene.session()
    var settings = RAWSettings()
    settings.frame.crop = try CropArea("0,0,50%,25%")
    let state = try await session.state(settings)
    #expect(state.width == 160 && state.height == 120)
    #expect(state.uncroppedWidth == 320 && state.uncroppedHeight == 480)
    #expect(state.fileHeadroom > 1)
    #expect(state.adjustments.map(\.name) == RAWProperty.all.map(\.name))
    func reason(_ name: String, _ settings: RAWSettings) async throws -> String? {
      try await session.state(settings).adjustments.first { $0.name == name }?.withoutEffect
    }
    #expect(try await reason("exposure", settings) == nil)
    #expect(try await reason("redGray", settings) == "needs isBlackAndWhiteEnabled on")
    settings.look.isBlackAndWhiteEnabled = true
    #expect(try await reason("redGray", settings) == nil)
    #expect(try await reason("vignetteFeather", settings) == "needs vignetteAmount above 0")
    settings.look.vignette.amount = -0.5
    #expect(try await reason("vignetteFeather", settings) == nil)
    #expect(try await reason("lutAmount", settings) == "needs lutPath")
    #expect(try await reason("profileName", settings) == "there is no other profile to choose")
  }

  @Test func aFileWithoutColorsSaysSo() async throws {
    let size = PixelSize(width: 160, height: 120)
    let samples = (0..<size.area).map { UInt16(2000 + $0 % 160 * 80) }
    let folder = try TestFolder()
    let path = try folder.write(
      try DNGWriter(size: size, layout: .monochrome, samples: samples).bytes, to: "gray.dng")
    let session = try TuningSession(path: Array(path.utf8))
    let state = try await session.state(RAWSettings())
    for name in ["saturation", "colorNoiseReductionAmount", "neutralChromaticity"] {
      let reason = state.adjustments.first { $0.name == name }?.withoutEffect
      #expect(reason == "this file has no colors", "\(name)")
    }
    await #expect(throws: RAWError.self) { try await session.white(RAWSettings(), x: 9, y: 9) }
    let histogram = try await session.histogram(RAWSettings())
    #expect(Set(histogram.saturated).count == 1)
  }

  @Test func aFileThatIsNoRawIsRefused() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let path = try scene.folder.write("no raw", to: "text.cr2")
    #expect(throws: (any Error).self) { try TuningSession(path: Array(path.utf8)) }
    #expect(throws: (any Error).self) { try TuningSession(path: Array("/nowhere".utf8)) }
  }
}
