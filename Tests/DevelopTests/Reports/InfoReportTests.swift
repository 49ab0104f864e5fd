import Develop
import Foundation
import ImageCore
import RawFilter
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@Suite struct InfoReportTests {
  @Test func saysWhatTheFileHolds() throws {
    let raw = try SmallRaw(peak: 2, orientation: .right)
    let report = try InfoReport(path: raw.path, decodesPixels: true)
    #expect(report.file == raw.path)
    #expect(report.make == "rawdev" && report.model == "Simulated SR-1")
    #expect(report.lens == "Simulated 35mm F2.8")
    #expect(report.date == "2025:06:21 20:27:00")
    #expect(report.exposureTime.map { abs($0 - 0.004) < 1e-9 } == true)
    #expect(report.aperture.map { abs($0 - 5.6) < 1e-9 } == true)
    #expect(report.iso == 200 && report.focalLength == 35)
    #expect(report.latitude.map { abs($0 - 36.46175) < 1e-5 } == true)
    #expect(report.longitude.map { abs($0 - 25.37531) < 1e-5 } == true)
    #expect(report.nativeWidth == SmallRaw.size.width)
    #expect(report.nativeHeight == SmallRaw.size.height)
    #expect(report.orientation == 6)
    #expect(report.neutralTemperature.map { abs($0 - 5200) < 100 } == true)
    #expect(report.baselineExposure == 1.5)
    #expect(report.preview == nil && report.warnings.isEmpty)
    let sensor = try #require(report.sensor)
    #expect(sensor.layout == "bayer" && sensor.pattern == "RG/GB")
    #expect(sensor.sensorWidth == 120 && sensor.sensorHeight == 88)
    #expect(sensor.white.allSatisfy { abs($0 - 16_000) < 1 })
    #expect(sensor.black.allSatisfy { abs($0 - 512) <= 1 })
    #expect(sensor.clipped.allSatisfy { $0 == 0 })
    #expect(report.colorOrigin.kind == .file && report.cropOrigin.kind == .file)
    #expect(sensor.blackOrigin.kind == .file && sensor.whiteOrigin.kind == .file)
    // The brightest value, twice white, below its shoulder.
    #expect(sensor.headroom > 1.6 && sensor.headroom < 2)
  }

  @Test func pixelsNeedNotBeRead() throws {
    let raw = try SmallRaw()
    let report = try InfoReport(path: raw.path, decodesPixels: false)
    #expect(report.sensor == nil && report.baselineExposure == nil)
    #expect(report.iso == 200)
    #expect(!report.lines.contains { $0.name == "headroom" })
  }

  @Test func linesNameTheProperties() throws {
    let raw = try SmallRaw()
    let lines = try InfoReport(path: raw.path, decodesPixels: true).lines
    func value(_ name: String) -> String { lines.first { $0.name == name }?.value ?? "" }
    #expect(value("exposure") == "1/250 s, f/5.6, ISO 200, 35.0 mm")
    #expect(value("size") == "104x72, orientation 1")
    #expect(value("color matrix from") == "the file" && value("crop from") == "the file")
    #expect(value("levels from") == "black the file, white the file")
    #expect(value("baseline exposure") == "1.50 EV")
    #expect(value("preview") == "none")
    #expect(value("headroom").hasSuffix("x reference white"))
    let words = lines.flatMap { $0.value.split(separator: " ") }
    #expect(words.allSatisfy { !$0.hasPrefix("nan") && !$0.hasPrefix("inf") })
  }

  @Test func namesHiddenUnderexposure() throws {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .pef })
    var raw = sample.exposed { _, _ in SIMD3(repeating: 0.2) }
    let folder = try TestFolder()
    func report(_ recording: DarkRecording?) throws -> InfoReport {
      raw.recording = recording
      return try InfoReport(
        path: folder.write(raw.written().bytes, to: "a.pef"), decodesPixels: false)
    }
    let dark = try report(.pentax([1, 0, 0, 0]))
    #expect(dark.hiddenUnderexposure?.stops == 1)
    let line = dark.lines.first { $0.name == "hidden underexposure" }?.value
    #expect(line == "Highlight Correction (on): recorded 1.00 EV darker than metered")
    let plain = try report(nil)
    #expect(plain.hiddenUnderexposure == nil)
    #expect(!plain.lines.contains { $0.name == "hidden underexposure" })
  }

  @Test func survivesJSON() throws {
    let raw = try SmallRaw()
    let report = try InfoReport(path: raw.path, decodesPixels: true)
    let data = try JSONEncoder().encode(report)
    let again = try JSONDecoder().decode(InfoReport.self, from: data)
    #expect(again.sensor == report.sensor && again.supported == report.supported)
  }

  @Test func damageIsOneLine() throws {
    let raw = try SmallRaw()
    try Data("no raw".utf8).write(to: URL(fileURLWithPath: raw.path))
    let error = #expect(throws: DevelopError.self) {
      try InfoReport(path: raw.path, decodesPixels: true)
    }
    #expect(error?.codeName == "notARaw")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func namesWhatTheFileHoldsBesides() throws {
    let raw = try SmallRaw()
    let report = try InfoReport(path: raw.path, decodesPixels: false)
    #expect(report.dngVersion == "1.4.0.0" && report.profiles.count == 1)
    #expect(report.mattes.isEmpty && report.depth == nil && report.transparencyMask == nil)
    #expect(report.opcodes == [[], [], []] && report.pixelsError == nil)
    let line = report.lines.first { $0.name == "storage" }?.value
    #expect(line == "uncompressed, 1 x 14 bits integer, 144x100 in 1 strip of 144x100")
  }

  @Test func pixelsThatAreMissingLeaveTheRest() throws {
    let raw = try SmallRaw()
    let data = try Data(contentsOf: URL(fileURLWithPath: raw.path))
    try data.prefix(data.count - 500).write(to: URL(fileURLWithPath: raw.path))
    let report = try InfoReport(path: raw.path, decodesPixels: true)
    #expect(report.sensor == nil && report.pixelsError?.contains("end") == true)
    #expect(report.iso == 200 && report.baselineExposure == 1.5)
    #expect(report.lines.contains { $0.name == "pixels" })
  }
}
