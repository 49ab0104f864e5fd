import Charts
import Foundation
import ImageCore
import ImageFilters
import RawDecode
import SyntheticRaw
import TestSupport
import Testing

@testable import RawFilter

@Suite("White and exposure of another raw")
struct ReferenceTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let origin = PixelPoint(x: 70, y: 60)
  private static let pitch = 48
  /// The chart as it is made since November 2014, linear BT.2020.
  private static let patches = ColorChecker.after2014.xyz.map {
    let toD65 = ChromaticAdaptation.bradford(from: .d50, to: .d65)
    return SIMD3<Float>(Primaries.bt2020.fromXYZ * (toD65 * $0))
  }

  /// A raw of a chart whose file says a wrong white.
  private static func bytes(
    seconds: UInt32? = 100, gain: Float = 1, hasChart: Bool = true,
    neutral: SIMD3<Double>? = SIMD3(0.8, 1, 0.5)
  ) throws -> [UInt8] {
    var sensor = SimulatedSensor()
    sensor.border = PixelSize(width: 0, height: 0)
    sensor.cropMargin = 0
    sensor.defectCount = 0
    var writer = sensor.expose(size: PixelSize(width: 384, height: 272)) { x, y in
      hasChart
        ? ColorChart.light(x: x, y: y, origin: origin, pitch: pitch, patches: patches) * gain
        : SIMD3(repeating: 0.2 * gain)
    }
    if let neutral { writer.asShotNeutral = neutral }
    if let seconds {
      writer.metadata[.exif, 0x829A] = .rationals([Rational(1, seconds)])
      writer.metadata[.exif, 0x829D] = .rationals([Rational(8, 1)])
      writer.metadata[.exif, 0x8827] = .shorts([100])
    }
    return try writer.bytes
  }

  private func distance(_ a: Chromaticity, _ b: Chromaticity) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y))
  }

  @Test("takes the white as shot, of a chart, or of a gray part")
  func white() throws {
    let chart = try folder.write(Self.bytes(neutral: SIMD3(0.7, 1, 0.6)), to: "chart.dng")
    var filter = try RAWFilter(data: Data(Self.bytes(hasChart: false)))
    let other = try RAWFilter(url: URL(filePath: chart))
    filter.whiteFrom = chart
    #expect(distance(try filter.resolvedWhite(), other.neutralChromaticity) < 1e-6)
    // The white declared by a file.
    let truth = try RAWFilter(data: Data(Self.bytes(neutral: nil))).neutralChromaticity
    filter.whitePatch = .chart
    var white = try filter.resolvedWhite()
    #expect(distance(white, truth) < 0.002)
    // Below the chart everything is gray; of 2500 cells noise leaves 0.0003 of x and y.
    filter.whitePatch = .area(try CropArea("0,246,384,26"))
    white = try filter.resolvedWhite()
    #expect(distance(white, truth) < 0.001)
    let plan = try filter.plan()
    #expect(plan.settings.neutral == .chromaticity(try filter.resolvedWhite()))
    filter.whiteFrom = nil
    #expect(filter.settings.neutral == .asShot)
  }

  @Test("gives a patch the level of what it reflects, whatever the exposure")
  func exposure() throws {
    let chart = try folder.write(Self.bytes(), to: "chart.dng")
    for (seconds, gain) in [(UInt32(100), Float(1)), (400, 0.25), (50, 2)] {
      var filter = try RAWFilter(data: Data(Self.bytes(seconds: seconds, gain: gain)))
      filter.boostAmount = 0
      filter.whiteFrom = chart
      filter.whitePatch = .chart
      filter.exposureFrom = chart
      filter.exposurePatch = .chart
      let picture = try filter.outputImage().image
      let (x, y) = (Self.origin.x + 3 * Self.pitch, Self.origin.y + 3 * Self.pitch)
      let sum = (0..<256).reduce(SIMD3<Float>()) {
        $0 + picture[x - 8 + $1 % 16, y - 8 + $1 / 16]
      }
      let level = (SIMD3<Double>(sum / 256) * Primaries.bt2020.luminance).sum()
      #expect(abs(level / 0.1900 - 1) < 0.02, "1/\(seconds) s: \(level)")
      filter.exposure = 1
      #expect(abs(try filter.plan().settings.exposure - 1 - gainStops(filter, gain, seconds)) < 0.1)
    }
  }

  /// What the raw needs beside ``exposure``: the file's own stops taken back.
  private func gainStops(_ filter: RAWFilter, _ gain: Float, _ seconds: UInt32) -> Float {
    let exposed = Float(SimulatedSensor.exposureHalves) / 2
    return exposed - log2(gain) - filter.baselineExposure
  }

  @Test("renders a frame as another one without a patch")
  func frames() throws {
    let other = try folder.write(Self.bytes(seconds: 100), to: "other.dng")
    var filter = try RAWFilter(data: Data(Self.bytes(seconds: 25)))
    filter.exposureFrom = other
    #expect(abs(try filter.plan().settings.exposure + 2) < 1e-5)
    filter.exposure = 0.5
    #expect(abs(try filter.plan().settings.exposure + 1.5) < 1e-5)
  }

  @Test("refuses exposures by which nothing is left of the picture")
  func range() throws {
    let other = try folder.write(Self.bytes(seconds: 4_000_000_000), to: "other.dng")
    var filter = try RAWFilter(data: Data(Self.bytes(seconds: 100)))
    filter.exposureFrom = other
    let error = #expect(throws: RAWError.self) { try filter.plan() }
    #expect(error?.setting == "exposureFrom" && error?.path == other)
  }

  @Test("says in one line what is wrong, and with which file")
  func refusals() throws {
    let chart = try folder.write(Self.bytes(), to: "chart.dng")
    let plain = try folder.write(Self.bytes(hasChart: false), to: "plain.dng")
    func refusal(_ change: (inout RAWFilter) throws -> Void) throws -> RAWError {
      var filter = try RAWFilter(data: Data(Self.bytes(seconds: nil, hasChart: false)))
      try change(&filter)
      let error = try #require(throws: RAWError.self) { try filter.plan() }
      #expect(!error.description.contains("\n"))
      return error
    }
    #expect(try refusal { $0.settings.whitePatch = .chart }.setting == "whitePatch")
    #expect(try refusal { $0.exposurePatch = .chart }.setting == "exposurePatch")
    let missing = try refusal { $0.whiteFrom = folder.file("missing.dng") }
    #expect(missing.code == .cannotRead)
    #expect(missing.path?.hasSuffix("missing.dng") == true)
    let none = try refusal {
      $0.whiteFrom = plain
      $0.whitePatch = .chart
    }
    #expect(none.message.contains("no ColorChecker"))
    #expect(none.path == plain)
    #expect(try refusal { $0.exposureFrom = chart }.message.contains("shutter time"))
    let outside = try refusal {
      $0.whiteFrom = plain
      $0.whitePatch = .area(try CropArea("380,0,90,20"))
    }
    #expect(outside.message.contains("outside"))
  }

  @Test("is read and written by recipes' keys")
  func coding() throws {
    var settings = RAWSettings()
    settings.neutral = .reference("chart.dng", .chart)
    settings.exposureFrom = "chart.dng"
    settings.exposurePatch = .area(try CropArea("10%,20%,5%,5%"))
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(RAWSettings.self, from: data) == settings)
    #expect(settings.inputPaths == ["chart.dng", "chart.dng"])
    #expect(ReferencePatch("somewhere") == nil)
  }
}
