import Foundation
import ImageCore
import RawDecode
import RawTestSupport
import TestSupport
import Testing

@testable import RawFilter

/// Series on real files: three frames of one camera, two of them under the same illuminant.
@Suite struct RAWFilterSeriesTests {
  private static func filter(_ name: String) throws -> RAWFilter {
    var filter = try RAWFilter(url: SharedFiles.url("more/raws/canon_CRW_\(name).CRW"))
    filter.scaleFactor = 0.1
    filter.look = .camera
    return filter
  }

  private func write(_ entries: [SeriesEntry], _ folder: TestFolder) throws -> String {
    var file = SeriesFile()
    file.entries = entries
    return try folder.write(try file.bytes, to: "s.json")
  }

  private func entry(of filter: RAWFilter, _ change: (inout SeriesFindings) -> Void = { _ in })
    throws -> SeriesEntry
  {
    var findings = try filter.seriesFindings().findings
    change(&findings)
    return SeriesEntry(filter.seriesKey, source: "", findings)
  }

  /// With its own entry a frame is what it is without, to the rounding of the numbers.
  @Test func theFrameThatDecidesStaysAsItIs() throws {
    let folder = try TestFolder()
    var filter = try Self.filter("0104")
    let (alone, trust) = (try filter.outputImage(), try filter.seriesFindings().trust)
    #expect(trust == 2)
    filter.series = try write([entry(of: filter)], folder)
    let (own, plan) = (try filter.outputImage(), try filter.plan())
    #expect(plan.warnings == alone.warnings)
    var furthest: Float = 0
    for y in 0..<own.image.size.height {
      for x in 0..<own.image.size.width {
        let difference = own.image[x, y] - alone.image[x, y]
        furthest = max(furthest, difference.max(), -difference.min())
      }
    }
    #expect(furthest < 1e-3)
    #expect(abs(filter.baselineExposure - (try Self.filter("0104")).baselineExposure) < 1e-4)
  }

  @Test func allFramesOfAKeyHaveOneLookExposureAndWhite() throws {
    let folder = try TestFolder()
    let first = try Self.filter("0104")
    // What no frame would find for itself.
    let shared = try entry(of: first) {
      $0.exposure = 0.125
      $0.faithfulExposure = 0.25
      $0.white = Chromaticity(x: 0.4, y: 0.38)
    }
    let path = try write([shared], folder)
    for name in ["0104", "0105"] {
      var filter = try Self.filter(name)
      filter.series = path
      #expect(filter.baselineExposure == 0.125)
      #expect(try filter.cameraLook().mapping == first.fittedLook().mapping)
      #expect(try filter.plan().white != Chromaticity(x: 0.4, y: 0.38))
      filter.isAutomaticWhiteBalanceEnabled = true
      #expect(try filter.plan().white == Chromaticity(x: 0.4, y: 0.38))
      filter.look = .faithful
      #expect(filter.baselineExposure == 0.25)
      filter.baselineExposure = 1
      #expect(filter.baselineExposure == 1)
    }
    // Another illuminant, another camera: as without a series, with a warning.
    for name in ["0113", "0305"] {
      var filter = try Self.filter(name)
      let alone = try filter.outputImage()
      filter.series = path
      let picture = try filter.outputImage()
      #expect(AdjustmentTests.isSame(alone.image, picture.image))
      #expect(picture.warnings.contains { $0.contains("has no entry") })
    }
  }

  /// The entry depends on the frame and its camera profile alone, not on threads.
  @Test func findingsDependOnTheFrameAlone() throws {
    var (one, other) = (try Self.filter("0105"), try Self.filter("0105"))
    (one.workers, other.workers) = (1, 3)
    other.exposure = 1
    other.look = .faithful
    other.baselineExposure = 2
    other.series = "/none.json"
    other.isAutomaticWhiteBalanceEnabled = true
    #expect(try one.seriesFindings() == other.seriesFindings())
  }

  /// A frame whose own preview is black and white has the look of the series, with a note.
  @Test func aPreviewThatIsNotBelievedTakesTheEntry() throws {
    let folder = try TestFolder()
    var (color, gray) = (
      try RecodedPreview(.srgb).filter(), try RecodedPreview(.gray).filter()
    )
    #expect(try gray.seriesFindings().trust == 1)
    let path = try write([entry(of: color)], folder)
    for filter in [color, gray] { #expect(filter.seriesKey == color.seriesKey) }
    (color.series, gray.series) = (path, path)
    let (own, taken) = (try color.cameraLook(), try gray.cameraLook())
    #expect(own.note == nil && taken.mapping == own.mapping && own.mapping != nil)
    #expect(taken.note?.contains("black and white") == true)
    #expect(taken.note?.contains("the look is that of the series") == true)
  }

  @Test func aSeriesWithoutALookIsStandard() throws {
    let folder = try TestFolder()
    var filter = try Self.filter("0104")
    filter.series = try write([entry(of: filter) { $0.look = nil }], folder)
    let camera = try filter.outputImage()
    #expect(camera.warnings.contains { $0.contains("the series has no trusted preview") })
    filter.look = .standard
    #expect(AdjustmentTests.isSame(try filter.outputImage().image, camera.image))
  }

  @Test func damageNamesTheFile() throws {
    let folder = try TestFolder()
    var filter = try Self.filter("0104")
    filter.series = try write([entry(of: filter) { $0.look = "rawlook 1\n" }], folder)
    let error = #expect(throws: RAWError.self) { try filter.outputImage() }
    #expect(error?.path == filter.series && error?.code == .damaged)
    filter.series = try folder.write("{}", to: "s.json")
    #expect(throws: RAWError.self) { try filter.outputImage() }
  }

  /// Scene-linear output does not depend on the series.
  @Test func theSceneHasNoSeries() throws {
    let folder = try TestFolder()
    var filter = try Self.filter("0104")
    let path = try write([entry(of: filter)], folder)
    filter.look = .scene
    let alone = try filter.outputImage().image
    filter.series = path
    #expect(AdjustmentTests.isSame(alone, try filter.outputImage().image))
  }
}
