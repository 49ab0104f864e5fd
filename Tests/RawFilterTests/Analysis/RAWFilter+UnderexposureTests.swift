import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

/// The same scene, once as metered and once as darker by the stops that the maker note says.
@Suite struct RAWFilterUnderexposureTests {
  /// Gray that rises to the right, and on top highlights that the metered exposure clips.
  private static func filter(
    _ coding: CameraContainer.Coding, darker stops: Float = 0, _ recording: DarkRecording? = nil
  ) throws -> RAWFilter {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == coding })
    let (width, height) = (sample.crop.width, sample.crop.height)
    var raw = sample.exposed { x, y in
      let level: Float = y < height / 8 ? 1.8 : 0.02 + 0.28 * Float(x) / Float(width)
      // A luminance of 2^1.5 saturates the photosites.
      return SIMD3(repeating: level * exp2(1.5 - stops))
    }
    raw.recording = recording
    return try RAWFilter(data: Data(raw.written().bytes))
  }

  /// The mean of what is below the highlights of an upright picture.
  private static func mean(_ filter: RAWFilter) throws -> Double {
    var filter = filter
    filter.orientation = .up
    let image = try filter.outputImage().image
    let rows = image.size.height / 4..<image.size.height
    let sum = rows.reduce(0.0) { sum, y in
      (0..<image.size.width).reduce(sum) { $0 + Double(image[$1, y].y) }
    }
    return sum / Double(rows.count * image.size.width)
  }

  private static let marked: [(CameraContainer.Coding, Float, DarkRecording)] = [
    (.pef, 1, .pentax([1, 0, 0, 0])), (.cr3, 1, .canon(optimizer: 3, priority: 1)),
    (.cr2, 1, .canonFunction(1)), (.rafUncompressed, 2, .fujifilm(percent: 400, isAutomatic: true)),
  ]

  /// Scene-linear output is as recorded, and on request as metered.
  @Test(arguments: marked) func linearValuesAreAsMetered(
    _ coding: CameraContainer.Coding, stops: Float, recording: DarkRecording
  ) throws {
    var plain = try Self.filter(coding)
    plain.look = .scene
    var dark = try Self.filter(coding, darker: stops, recording)
    dark.look = .scene
    let (metered, recorded) = (try Self.mean(plain), try Self.mean(dark))
    #expect(abs(recorded * Double(exp2(stops)) / metered - 1) < 0.01)
    dark.undoesUnderexposure = true
    #expect(abs(try Self.mean(dark) / metered - 1) < 0.01)
    #expect(dark.reasonWithoutEffect("undoesUnderexposure") == nil)
    #expect(try dark.plan().warnings == plain.plan().warnings)
    // Beside an exposure that is given as well.
    dark.look = .standard
    (dark.boostAmount, dark.baselineExposure) = (0, 0.5)
    #expect(try dark.resolvedBaselineExposure() == 0.5 + stops)
    var resolved = dark
    resolved.settings = try dark.resolvedSettings()
    #expect(try resolved.resolvedBaselineExposure() == 0.5 + stops)
    // One that is found is what it is.
    dark.settings.baselineExposure = nil
    let found = try dark.resolvedBaselineExposure()
    #expect(dark.reasonWithoutEffect("undoesUnderexposure") != nil)
    dark.undoesUnderexposure = false
    #expect(try dark.resolvedBaselineExposure() == found)
  }

  /// Without a preview a picture is as bright as with the metered exposure, and a note says so;
  /// without the tag the preserved highlights would darken it.
  @Test(arguments: marked.prefix(2)) func defaultsAreAsBrightAsMetered(
    _ coding: CameraContainer.Coding, stops: Float, recording: DarkRecording
  ) throws {
    let plain = try Self.filter(coding)
    let dark = try Self.filter(coding, darker: stops, recording)
    let untagged = try Self.filter(coding, darker: stops)
    #expect(plain.previewImage == nil && dark.previewImage == nil)
    let metered = try Self.mean(plain)
    #expect(abs(try Self.mean(dark) / metered - 1) < 0.03)
    #expect(try Self.mean(untagged) < 0.8 * metered)
    #expect(try dark.plan().warnings.contains { $0.contains("EV darker than metered") })
    #expect(try untagged.plan().warnings == plain.plan().warnings)
  }

  /// With a preview the exposure is that which matches it, whatever the tag says.
  @Test(arguments: marked.suffix(2)) func previewsAreMatchedOnce(
    _ coding: CameraContainer.Coding, stops: Float, recording: DarkRecording
  ) throws {
    let tagged = try Self.filter(coding, darker: stops, recording)
    let untagged = try Self.filter(coding, darker: stops)
    #expect(tagged.previewImage != nil)
    #expect(try tagged.resolvedBaselineExposure() == untagged.resolvedBaselineExposure())
    #expect(try tagged.plan().warnings == untagged.plan().warnings)
  }

  /// What has no known stops changes nothing, and a note says so where it is asked for.
  @Test func unknownStopsAreSaid() throws {
    var tagged = try Self.filter(.nefLossless, darker: 0, .nikon(5))
    let untagged = try Self.filter(.nefLossless)
    #expect(try tagged.resolvedBaselineExposure() == untagged.resolvedBaselineExposure())
    #expect(try tagged.plan().warnings == untagged.plan().warnings)
    #expect(!tagged.supportedAdjustments.contains("undoesUnderexposure"))
    tagged.look = .scene
    tagged.undoesUnderexposure = true
    #expect(try tagged.plan().settings.baselineExposure == 0)
    #expect(
      try tagged.plan().warnings.contains { $0.contains("Active D-Lighting (high)") })
  }
}
