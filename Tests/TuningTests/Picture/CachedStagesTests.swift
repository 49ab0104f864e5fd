import Foundation
import ImageCore
import RawFilter
import SyntheticRaw
import Testing

@testable import Tuning

/// Caches between pictures change no pixel.
struct CachedStagesTests {
  /// Changes one after the other, as a hand makes them.
  private static let steps: [@Sendable (inout RAWSettings) -> Void] = [
    { $0.exposure = 0.7 }, { $0.look.contrast = 0.5 },
    { $0.neutral = .temperature(kelvin: 4300, tint: -6) },
    { $0.look.highlights = -0.6 }, { $0.boostShadowAmount = 1.4 }, { $0.sharpnessAmount = 0.9 },
    { $0.look.isBlackAndWhiteEnabled = true }, { $0.luminanceNoiseReductionAmount = 0.8 },
    { $0.contrastAmount = 0.5 }, { $0.exposure = -0.3 }, { $0.localToneMapAmount = 0.6 },
    { $0.look.isBlackAndWhiteEnabled = false }, { $0.isHighlightRecoveryEnabled = false },
    { $0.extendedDynamicRangeAmount = 0.5 }, { $0.detailAmount = 0.4 }, { $0.boostAmount = 0.5 },
    { $0.frame.straightenAngle = 2 }, { $0.orientation = .left }, { $0.boostAmount = 0 },
    { $0.isLensCorrectionEnabled = false }, { $0.demosaicMethod = .fast },
  ]

  @Test func picturesEqualThoseOfASessionWithoutCaches() async throws {
    let scene = try TuningScene(
      PixelSize(width: 640, height: 448), noise: 2e-4, pixels: TuningScene.busy)
    let session = try scene.session()
    var settings = RAWSettings()
    for (index, step) in Self.steps.enumerated() {
      step(&settings)
      for isHDR in [false, true] {
        var request = TuningRequest.full(settings)
        request.fit = PixelSize(width: 220, height: 200)
        (request.isHDR, request.stopsDown) = (isHDR, isHDR ? 2 : 0)
        let cached = try await session.picture(request, viewer: "main")
        _ = try await session.histogram(settings)
        let again = try await session.picture(request, viewer: "main")
        let fresh = try await scene.session().picture(request, viewer: "main")
        // Compared first, as the difference of many bytes takes long to find.
        let areEqual = (cached.bytes == fresh.bytes, again.bytes == fresh.bytes)
        #expect(areEqual.0 && areEqual.1, "step \(index)")
      }
    }
  }

  /// Under another white only the surroundings of saturated photosites are recomputed.
  @Test func aChangeOfWhiteLeavesNothingStale() async throws {
    let scene = try TuningScene(
      PixelSize(width: 1800, height: 1200), noise: 2e-4, change: { $0.defectCount = 300 },
      pixels: { x, y in
        let isLamp = (x - 500) * (x - 500) + (y - 300) * (y - 300) < 2000
        let isSpark = x / 2 == 700 && y / 2 == 450
        return isLamp || isSpark ? SIMD3(6, 5, 4) : TuningScene.busy(x / 4, 0) * 0.2
      })
    let session = try scene.session()
    for kelvin in [5200, 4100, 7300, 3000] as [Float] {
      var settings = RAWSettings()
      settings.neutral = .temperature(kelvin: kelvin, tint: 4)
      (settings.luminanceNoiseReductionAmount, settings.defringeAmount) = (0.6, 0.5)
      var request = TuningRequest.full(settings)
      request.fit = PixelSize(width: 800, height: 800)
      (request.isHDR, request.stopsDown) = (true, 2)
      let cached = try await session.picture(request, viewer: "main")
      let fresh = try await scene.session().picture(request, viewer: "main")
      let isEqual = cached.bytes == fresh.bytes
      #expect(isEqual, "\(kelvin) K")
    }
  }

  @Test func aFreshSessionIsNoDifferentFromARendering() async throws {
    let scene = try TuningScene(
      PixelSize(width: 640, height: 448), noise: 2e-4, pixels: TuningScene.busy)
    var settings = RAWSettings()
    (settings.contrastAmount, settings.localToneMapAmount) = (0.4, 0.5)
    var request = TuningRequest.full(settings)
    request.fit = PixelSize(width: 220, height: 220)
    let displayed = try await scene.session().picture(request, viewer: "main")
    var filter = try RAWFilter(url: URL(fileURLWithPath: scene.path))
    filter.settings = settings
    let view = try TuningView(request, of: filter)
    filter.scaleFactor = view.scale
    filter.outputPrimaries = .srgb
    let image = try await filter.outputImage().image
    #expect(image.size == displayed.size)
    for y in stride(from: 0, to: image.size.height, by: 7) {
      for x in stride(from: 0, to: image.size.width, by: 5) {
        for (value, code) in zip(
          [image[x, y].x, image[x, y].y, image[x, y].z],
          [
            displayed[x, y].x, displayed[x, y].y, displayed[x, y].z,
          ])
        {
          let signal = SRGB.signal(linear: Double(min(max(value, 0), 1)))
          #expect(abs(signal * 255 - Double(code)) < 0.51)
        }
      }
    }
  }
}
