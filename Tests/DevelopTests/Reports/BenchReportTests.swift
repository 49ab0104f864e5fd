import Develop
import Foundation
import ImageCore
import Recipes
import TestSupport
import Testing

@Suite struct BenchReportTests {
  private func report(_ raw: SmallRaw, _ format: OutputFormat, traces: Bool = false) throws
    -> BenchReport
  {
    try BenchReport(
      path: raw.path, developer: Developer(workers: 2), runs: 2, traces: traces
    ) { _ in
      var recipe = Recipe()
      recipe.output.format = format
      return recipe
    }
  }

  @Test(arguments: [OutputFormat.tiff, .heifPQ, .jpegGainMap, .png, .avif])
  func rowsAddUpToTheTotal(format: OutputFormat) throws {
    let raw = try SmallRaw()
    let report = try report(raw, format)
    #expect(report.formats == [format.rawValue])
    #expect(report.size == [SmallRaw.size.width, SmallRaw.size.height])
    let rows = report.stages.map(\.name)
    for name in ["start-up", "open", "decode", "analysis", "demosaic", "scene", "tone", "codes"] {
      #expect(rows.contains(name), "\(name) in \(rows)")
    }
    #expect(rows.contains("gain map") == (format == .jpegGainMap))
    let sum = report.stages.reduce(0) { $0 + $1.cpuMilliseconds }
    #expect(abs(sum - report.cpuMilliseconds) < 1e-6 * sum)
    #expect(abs(report.stages.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    #expect(report.table.split(separator: "\n").count == report.stages.count + 4)
  }

  /// An event of Chrome's format, as far as we write it.
  private struct Trace: Decodable {
    struct Event: Decodable {
      var name, cat, ph: String
      var ts, dur: Double
      var pid, tid: Int
      var args: [String: Double]
    }
    var traceEvents: [Event]
  }

  @Test func traceHasAnEventForEachStageAndRectangle() throws {
    let raw = try SmallRaw()
    let folder = try TestFolder()
    let path = folder.path + "/trace.json"
    try report(raw, .tiff, traces: true).writeTrace(to: .replacing(path))
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let events = try JSONDecoder().decode(Trace.self, from: data).traceEvents
    for event in events {
      #expect(event.ph == "X" && event.pid == 1)
      #expect(event.ts >= 0 && event.dur >= 0)
    }
    var area = 0.0
    for event in events where event.name == "tone" {
      area += event.args["width", default: 0] * event.args["height", default: 0]
    }
    #expect(area == Double(SmallRaw.size.area))
    #expect(throws: DevelopError.self) {
      try report(raw, .tiff, traces: true).writeTrace(
        to: .replacing(folder.path + "/none/trace.json"))
    }
  }

  @Test func namesTheFileThatCannotBeOpened() {
    #expect(throws: DevelopError.self) {
      try BenchReport(path: "/none.dng", developer: Developer(), runs: 1) { _ in Recipe() }
    }
  }
}
