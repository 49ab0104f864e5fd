internal import CPOSIX
import Export
import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Recipes
import Writers

/// Time and memory of each stage of the pipeline on one file: the result of `rawdev bench`.
public struct BenchReport: Sendable, Codable {
  /// One stage.
  public struct Stage: Sendable, Codable {
    /// Its name.
    public var name: String
    /// Wall-clock time of the best run, milliseconds.
    public var milliseconds: Double
    /// CPU time of all threads in that run, milliseconds.
    public var cpuMilliseconds: Double
    /// Throughput, megapixels of the native picture per second.
    public var megapixelsPerSecond: Double
    /// Bytes of pixels allocated.
    public var allocatedBytes: Int
    /// Peak of the bytes of pixels in use.
    public var peakBytes: Int
  }

  /// The file.
  public var file: String
  /// Columns and rows.
  public var size: [Int]
  /// Number of threads.
  public var workers: Int
  /// Number of runs of each stage, of which the fastest counts.
  public var runs: Int
  /// The stages, in the order of the pipeline.
  public var stages: [Stage]
  /// Peak memory of the process, bytes.
  public var processPeakBytes: Int

  /// Develops the raw at `path` `runs` times, with the lens database at `lensDatabase`; nil for the
  /// system's.
  public init(
    path: String, runs: Int, workers: Int, lensDatabase: String? = nil
  ) throws(DevelopError) {
    do {
      try self.init(measuring: path, runs: runs, workers: workers, lensDatabase: lensDatabase)
    } catch {
      throw DevelopError(error, path: path)
    }
  }

  private init(measuring path: String, runs: Int, workers: Int, lensDatabase: String?) throws {
    let url = URL(fileURLWithPath: path)
    let workers = workers > 0 ? workers : Parallel.defaultWorkers
    var filter = try RAWFilter(url: url)
    filter.workers = workers
    filter.lensDatabasePath = lensDatabase
    filter.extendedDynamicRangeAmount = 1
    let pixels = filter.nativeSize.area
    let native = filter.nativeSize
    var measured: [Stage] = []

    // Times up to and including the last stage, milliseconds.
    var (wallBefore, cpuBefore) = (0.0, 0.0)
    func measure(_ name: String, isNext: Bool = false, _ body: () throws -> Void) rethrows {
      var best: Stage?
      for _ in 0..<runs {
        PixelMemory.resetCounts()
        let before = PixelMemory.liveBytes
        let (cpu, wall) = (cposix_usage_now().cpu_seconds, ContinuousClock.now)
        try body()
        let seconds = wall.duration(to: .now) / .seconds(1)
        if seconds * 1000 < best?.milliseconds ?? .infinity {
          best = Stage(
            name: name, milliseconds: seconds * 1000,
            cpuMilliseconds: (cposix_usage_now().cpu_seconds - cpu) * 1000, megapixelsPerSecond: 0,
            allocatedBytes: PixelMemory.allocatedBytes,
            peakBytes: PixelMemory.peakBytes - before)
        }
      }
      guard var stage = best else { return }
      let (wall, cpu) = (stage.milliseconds, stage.cpuMilliseconds)
      stage.milliseconds = max(0.001, wall - wallBefore)
      stage.cpuMilliseconds = max(0, cpu - cpuBefore)
      if isNext { (wallBefore, cpuBefore) = (wall, cpu) }
      stage.megapixelsPerSecond = Double(pixels) / 1000 / stage.milliseconds
      measured.append(stage)
    }
    measure("open") { _ = try? RAWFilter(url: url) }
    try measure("decode and analyze") {
      var fresh = try RAWFilter(url: url)
      fresh.workers = workers
      fresh.lensDatabasePath = lensDatabase
      _ = try fresh.rendition()
    }
    let stages = try filter.plan().stages()
    // Reading the picture after a stage includes all stages before it.
    func stage(_ name: String, _ source: some PixelSource) throws {
      try measure(name, isNext: true) {
        try PictureBands(source, workers: workers).forEach({ _, _ in }, consume: { _, _ in })
      }
    }
    try stage("sensor to camera RGB", stages.demosaiced)
    try stage("noise", stages.clean)
    try stage("lens", stages.camera)
    try stage("color", stages.scene)
    try stage("detail", stages.detailed)
    try stage("tone and gamut", stages.display)
    let folder = FileManager.default.temporaryDirectory.path
    for (name, format) in [("encode heif-pq", OutputFormat.heifPQ), ("write tiff", .tiff)] {
      var recipe = Recipe()
      recipe.output.format = format
      recipe.output.tiffCompression = .none
      let target = folder + "/rawdev-bench-\(getpid())." + format.pathExtension
      defer { unsafe unlink(target) }
      filter.outputPrimaries = recipe.output.primaries
      let picture = try filter.rendition()
      try measure(name) {
        _ = try StillExporter(recipe.output.encoding, workers: workers).write(
          FinishedPicture(picture: picture), metadata: filter.properties, to: target)
      }
    }
    file = path
    size = [native.width, native.height]
    self.workers = workers
    self.runs = runs
    self.stages = measured
    processPeakBytes = Int(cposix_usage_now().peak_bytes)
  }

  /// The report as a table for people.
  public var table: String {
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func row(_ name: String, _ cells: [String]) -> String {
      name.padding(toLength: 24, withPad: " ", startingAt: 0)
        + cells.map { cell($0, 12) }.joined()
    }
    let head = row("stage", ["ms", "CPU ms", "MP/s", "alloc MB", "peak MB"])
    let body = stages.map { stage in
      row(
        stage.name,
        [
          String(format: "%.1f", stage.milliseconds), String(format: "%.1f", stage.cpuMilliseconds),
          String(format: "%.0f", stage.megapixelsPerSecond),
          String(format: "%.1f", Double(stage.allocatedBytes) / 1e6),
          String(format: "%.1f", Double(stage.peakBytes) / 1e6),
        ])
    }
    let peak = String(format: "%.0f", Double(processPeakBytes) / 1e6)
    return
      (["\(file): \(size[0])x\(size[1]), \(workers) threads, best of \(runs)", head] + body + [
        "peak of the process: \(peak) MB"
      ]).joined(separator: "\n")
  }
}
