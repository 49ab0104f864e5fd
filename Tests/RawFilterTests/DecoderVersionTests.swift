import Foundation
import ImageCore
import RawFilter
import Testing

/// A decoder version is a promise: what it makes of the fixtures stays what it was when the version
/// came out. `Fixtures/renderings.json` holds that as means and roughness of 12 × 8 cells.
///
/// `RAWDEV_RECORD_RENDERINGS=1 swift test --filter DecoderVersionTests` adds renderings that are
/// missing; those that are there are never replaced.
@Suite struct DecoderVersionTests {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// A fixture and what is set on it.
  struct Rendering: Sendable, CustomTestStringConvertible {
    var name: String
    var fixture: String
    var change: @Sendable (inout RAWSettings) -> Void = { _ in }
    var testDescription: String { name }
  }

  static let renderings = [
    Rendering(name: "bayer", fixture: "sunset-bayer"),
    Rendering(name: "bayer, high range", fixture: "sunset-bayer") {
      $0.extendedDynamicRangeAmount = 1
      $0.exposure = 0.7
      $0.shadowBias = 0.01
      $0.isHighlightRecoveryEnabled = false
    },
    Rendering(name: "bayer, white of a place", fixture: "sunset-bayer") {
      $0.neutral = .location(PixelPoint(x: 150, y: 600))
      $0.boostAmount = 0
    },
    Rendering(name: "bayer, small", fixture: "sunset-bayer") { $0.scaleFactor = 0.37 },
    Rendering(name: "xtrans", fixture: "sunset-xtrans"),
    Rendering(name: "linear", fixture: "sunset-linear") { $0.extendedDynamicRangeAmount = 0.5 },
    Rendering(name: "bayer, detail and local tone", fixture: "sunset-bayer") {
      $0.luminanceNoiseReductionAmount = 0.7
      $0.colorNoiseReductionAmount = 0.7
      $0.despeckleAmount = 0.5
      $0.moireReductionAmount = 0.5
      $0.sharpnessAmount = 0.8
      $0.detailAmount = 1
      $0.contrastAmount = 0.5
      $0.localToneMapAmount = 0.8
    },
    Rendering(name: "bayer, dual", fixture: "sunset-bayer") { $0.demosaicMethod = .dual },
    Rendering(name: "bayer, automatic white", fixture: "sunset-bayer") { $0.neutral = .automatic },
  ]

  /// The fixture of `rendering` with its settings.
  static func filter(_ version: DecoderVersion, _ rendering: Rendering) throws -> RAWFilter {
    var filter = try RAWFilter(
      url: fixtures.appendingPathComponent(rendering.fixture + ".dng"))
    filter.decoderVersion = version
    rendering.change(&filter.settings)
    return filter
  }

  @Test(arguments: DecoderVersion.all, renderings)
  func staysAsItWas(_ version: DecoderVersion, _ rendering: Rendering) throws {
    let cells = Self.cells(try Self.filter(version, rendering).outputImage().image)
    let key = version.rawValue + ": " + rendering.name
    let recorded = try RecordedRenderings.shared.value(of: key, made: .cells(cells))
    guard case .cells(let known)? = recorded else {
      Issue.record("no rendering of \(key) is recorded")
      return
    }
    #expect(known.count == cells.count)
    let worst = zip(known, cells).map { abs($0 - $1) / max(abs($0), 0.01) }.max() ?? 1
    #expect(worst < 1e-3, "\(key) changed by up to \(worst)")
  }

  /// For each cell the means of the channels and the mean difference of neighbors in green.
  static func cells(_ image: Image<DisplayReferred>) -> [Float] {
    let size = image.size
    return (0..<96).flatMap { cell -> [Float] in
      let (left, right) = (cell % 12 * size.width / 12, (cell % 12 + 1) * size.width / 12)
      let (top, bottom) = (cell / 12 * size.height / 8, (cell / 12 + 1) * size.height / 8)
      var (sum, rough) = (SIMD3<Double>(), 0.0)
      for y in top..<bottom {
        var before = image[left, y]
        for x in left..<right {
          let pixel = image[x, y]
          sum += SIMD3<Double>(pixel)
          rough += Double(abs(pixel.y - before.y))
          before = pixel
        }
      }
      let count = Double((right - left) * (bottom - top))
      return [sum.x, sum.y, sum.z, rough].map { Float(($0 / count * 1e6).rounded() / 1e6) }
    }
  }
}
