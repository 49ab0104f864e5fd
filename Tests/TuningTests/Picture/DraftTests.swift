import ImageCore
import RawFilter
import Testing

@testable import Tuning

/// Pictures under another white that are made sooner.
struct DraftTests {
  /// A clipped lamp, partly saturated areas, and much that is not.
  private static func scene() throws -> TuningScene {
    try TuningScene(
      PixelSize(width: 1200, height: 800), noise: 2e-4,
      pixels: { x, y in
        let square = (x - 400) * (x - 400) + (y - 300) * (y - 300)
        if square < 22_500 { return SIMD3(9, 8, 7) }
        if (800..<1000).contains(x), (500..<700).contains(y) { return SIMD3(1.6, 0.5, 0.2) }
        return TuningScene.busy(x / 4, 0) * 0.2
      })
  }

  private static func request(_ kelvin: Float, allowsDraft: Bool) -> TuningRequest {
    var request = TuningRequest.full()
    request.settings.neutral = .temperature(kelvin: kelvin, tint: 4)
    request.fit = PixelSize(width: 300, height: 300)
    request.allowsDraft = allowsDraft
    return request
  }

  @Test(arguments: [3800, 7500] as [Float]) func aDraftIsNearTheExactPicture(_ kelvin: Float)
    async throws
  {
    let session = try Self.scene().session()
    _ = try await session.picture(Self.request(5200, allowsDraft: true), viewer: "main")
    let draft = try await session.picture(Self.request(kelvin, allowsDraft: true), viewer: "main")
    let exact = try await session.picture(Self.request(kelvin, allowsDraft: false), viewer: "main")
    #expect(draft.isDraft)
    #expect(!exact.isDraft)
    #expect(draft.bytes != exact.bytes)
    // The lamp, saturated in all channels, is neutral in both.
    for picture in [draft, exact] {
      let lamp = picture[100, 75]
      #expect(lamp.max() - lamp.min() <= 1, "\(lamp)")
    }
    // Away from saturated areas only the tone curve differs, by the brightest value.
    var worst = 0
    for y in 150..<190 {
      for x in 20..<150 {
        let (one, other) = (draft[x, y], exact[x, y])
        for channel in 0..<3 {
          worst = max(worst, abs(Int(one[channel]) - Int(other[channel])))
        }
      }
    }
    #expect(worst <= 3)
  }

  /// Nothing that a draft is made of gets into an exact picture.
  @Test func exactPicturesDoNotDependOnDrafts() async throws {
    let scene = try Self.scene()
    let session = try scene.session()
    for kelvin in [5200, 3800, 6100, 7500] as [Float] {
      for allowsDraft in [true, false] {
        var request = Self.request(kelvin, allowsDraft: allowsDraft)
        (request.settings.contrastAmount, request.settings.localToneMapAmount) = (0.4, 0.5)
        (request.settings.sharpnessAmount, request.isHDR, request.stopsDown) = (0.8, true, 2)
        let picture = try await session.picture(request, viewer: "main")
        let histogram = try await session.histogram(request.settings, allowsDraft: allowsDraft)
        if allowsDraft { continue }
        let fresh = try scene.session()
        let isEqual = try await fresh.picture(request, viewer: "main").bytes == picture.bytes
        #expect(isEqual, "\(kelvin) K")
        let isHistogramEqual = try await fresh.histogram(request.settings) == histogram
        #expect(isHistogramEqual, "\(kelvin) K")
      }
    }
  }

  /// Where a draft would save nothing the picture is exact at once.
  @Test func picturesWithoutSaturationAreExact() async throws {
    let scene = try TuningScene(pixels: { x, _ in SIMD3(repeating: Float(x) / 960) })
    let session = try scene.session()
    for kelvin in [5200, 3800] as [Float] {
      let picture = try await session.picture(
        Self.request(kelvin, allowsDraft: true), viewer: "main")
      #expect(!picture.isDraft)
    }
  }
}
