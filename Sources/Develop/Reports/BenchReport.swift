internal import CPOSIX
import Formats
import Foundation
import ImageCore
public import RawFilter
public import Recipes

/// The CPU time of developing one raw, by stage: the result of `rawdev bench`.
///
/// The raw is developed as by `develop`, into a temporary file, and each stage is measured
/// meanwhile (`StageRecorder`): the rows add up to the CPU time of the process. Time outside of
/// the stages is the row "other".
public struct BenchReport: Sendable, Codable {
  /// One stage.
  public struct Stage: Sendable, Codable {
    /// Its name.
    public var name: String
    /// CPU time of all threads, milliseconds.
    public var cpuMilliseconds: Double
    /// Fraction of the total, 0…1.
    public var share: Double
    /// CPU time for each pixel of the native picture.
    public var nanosecondsPerPixel: Double
  }

  /// The file.
  public var file: String
  /// Columns and rows.
  public var size: [Int]
  /// The formats that were written.
  public var formats: [String]
  /// Number of threads.
  public var workers: Int
  /// Number of developments; the one with the least CPU time is reported.
  public var runs: Int
  /// The stages that took time, in the order of the pipeline.
  public var stages: [Stage]
  /// CPU time of the process: of its start and of that run, milliseconds.
  public var cpuMilliseconds: Double
  /// Time of that run by the clock, milliseconds.
  public var milliseconds: Double
  /// Peak of the bytes of pixels in use in that run.
  public var peakPixelBytes: Int
  /// Peak memory of the process, bytes.
  public var peakProcessBytes: Int
  /// The threads' work in that run; not in the report.
  var trace: [StageRecorder.Span] = []

  private enum CodingKeys: String, CodingKey {
    case file, size, formats, workers, runs, stages, cpuMilliseconds, milliseconds
    case peakPixelBytes, peakProcessBytes
  }

  /// Develops the raw at `path` by `developer` `runs` times. `recipe` resolves the recipe of the
  /// opened raw, which counts as planning. With `traces` the report can write a trace.
  public init(
    path: String, developer: Developer, runs: Int, traces: Bool = false,
    recipe: (RAWFilter) throws -> Recipe
  ) throws(DevelopError) {
    let startUp = cposix_process_cpu()
    do {
      var best: BenchReport?
      for _ in 0..<max(runs, 1) {
        let report = try BenchReport(
          path, developer, startUp: startUp, runs: runs, traces: traces, recipe)
        if report.cpuMilliseconds < best?.cpuMilliseconds ?? .infinity { best = report }
      }
      guard let best else { preconditionFailure("there is at least one run") }
      self = best
      peakProcessBytes = Int(cposix_usage_now().peak_bytes)
    } catch {
      throw DevelopError(error, path: path)
    }
  }

  /// One run; `startUp`: nanoseconds of CPU before the first.
  private init(
    _ path: String, _ developer: Developer, startUp: Int64, runs: Int, traces: Bool,
    _ resolve: (RAWFilter) throws -> Recipe
  ) throws {
    let recorder = StageRecorder(keepsSpans: traces)
    PixelMemory.resetCounts()
    let (began, before) = (cposix_time(), cposix_process_cpu())
    let (native, recipe) = try recorder.record {
      let filter = try Developer.open(path)
      var developer = developer
      developer.recipe = try MeasuredStage.plan.measure { try resolve(filter) }
      let outputs = developer.recipe.outputs
      let folder = FileManager.default.temporaryDirectory.path
      // Unnamed files, so that an interrupted run leaves none.
      var files: [String: Int32] = [:]
      defer { for file in files.values { close(file) } }
      for name in outputs.keys { files[name] = try AtomicFile.unnamedFile(for: name) }
      let targets = Dictionary(
        uniqueKeysWithValues: files.map {
          ($0, OutputDestination.handedOver($1, name: "\(folder)/\($0)"))
        })
      _ = try developer.develop(filter, named: path, to: targets)
      return (filter.nativeSize, developer.recipe)
    }
    let run = cposix_process_cpu() - before
    let end = cposix_time()
    var cpu = recorder.cpu
    // Threads that start and end, and libraries' own.
    cpu[.other, default: 0] += run - cpu.values.reduce(0, +)
    cpu[.startUp] = startUp
    let total = Double(startUp + run)
    file = path
    size = [native.width, native.height]
    formats = recipe.outputs.values.map(\.format.rawValue).sorted()
    workers = developer.workers
    self.runs = runs
    stages = MeasuredStage.allCases.compactMap { stage in
      guard let own = cpu[stage].map(Double.init), own > 0 else { return nil }
      return Stage(
        name: stage.rawValue, cpuMilliseconds: own / 1e6, share: own / total,
        nanosecondsPerPixel: own / Double(native.area))
    }
    cpuMilliseconds = total / 1e6
    milliseconds = Double(end - began) / 1e6
    peakPixelBytes = PixelMemory.peakBytes
    peakProcessBytes = 0
    trace = recorder.spans
  }

  /// The report as a table for people.
  public var table: String {
    func row(_ name: String, _ cells: [String]) -> String {
      name.padding(toLength: 20, withPad: " ", startingAt: 0)
        + cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }
    func row(_ name: String, _ milliseconds: Double, _ share: Double, _ perPixel: Double) -> String
    {
      row(
        name,
        [
          String(format: "%.1f", milliseconds), String(format: "%.1f", share * 100),
          String(format: "%.2f", perPixel),
        ])
    }
    let head =
      "\(file): \(size[0])x\(size[1]) to \(formats.joined(separator: ", ")), \(workers) threads, "
      + "best of \(runs)"
    let body = stages.map { row($0.name, $0.cpuMilliseconds, $0.share, $0.nanosecondsPerPixel) }
    let pixels = Double(size[0] * size[1])
    let total = row("total", cpuMilliseconds, 1, cpuMilliseconds * 1e6 / pixels)
    let foot = String(
      format: "by the clock %.1f ms without the start; peak of pixels %.0f MB, of the process %.0f",
      milliseconds, Double(peakPixelBytes) / 1e6, Double(peakProcessBytes) / 1e6)
    return ([head, row("stage", ["CPU ms", "%", "ns/pixel"])] + body + [total, foot + " MB"])
      .joined(separator: "\n")
  }
}
