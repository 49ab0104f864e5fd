import Develop
import Formats
import RawFilter
import Recipes
import SystemPackage

/// Sources that wait until their series has an entry for them. They are opened again when it
/// has: until then it is only known that the entry is missing.
extension Batch {
  /// Whether the source waits; it is then developed when all others were opened.
  func waitsForSeries(_ index: Int, _ plan: SourcePlan) throws -> Bool {
    guard !options.isDryRun, let series = plan.series, !settledSeries.contains(series.path),
      try planner.series(series.path).entry(of: series.key) == nil
    else { return false }
    held[index] = series
    return true
  }

  /// Makes the entries that sources wait for. Returns whether there are sources that can go on.
  func makeSeries() -> Bool {
    guard !held.isEmpty, hardFailure == nil, !cancellation.isCancelled else { return false }
    do {
      for path in Set(held.values.map(\.path)).sorted() {
        let entries = try lacking(path)
        guard !cancellation.isCancelled else { return false }
        if !entries.isEmpty {
          try SeriesFile.add(entries, to: planner.workingFolder.pushing(FilePath(path)).string)
        }
        settledSeries.insert(path)
      }
    } catch {
      hardFailure = (error as? BatchError) ?? BatchError(.cannotWrite, "\(error)")
      return false
    }
    waiting = held.keys.sorted()[...]
    held = [:]
    return true
  }

  /// The entries that the series at `path` lacks for the complete list.
  private func lacking(_ path: String) throws -> [SeriesEntry] {
    var (known, settled): ([Int: SeriesKey], Set<Int>) = ([:], [])
    let own = Dictionary(
      zip(sources.map(\.id), sources.indices), uniquingKeysWith: { first, _ in first })
    for (index, source) in list.enumerated() {
      guard let own = own[source.id] else { continue }
      if let series = held[own], series.path == path {
        known[index] = series.key
      } else {
        settled.insert(index)
      }
    }
    return try SeriesScan(
      list, known: known, settled: settled, path: path, planner: planner, options: options
    ).entries(cancellation)
  }
}

extension WorkerStep {
  /// Measures a raw for the series of `recipe`, once there is memory for it.
  init(measure recipe: Recipe, _ info: SourceInfo, _ options: BatchOptions) {
    let estimate = MemoryEstimate(
      pixels: info.pixels, recipe: recipe, memoryBytes: options.memoryBytes)
    self = .send(
      .measure(WorkerMeasurement(settings: recipe.raw, colorMatrix: options.colorMatrix)),
      bytes: estimate.bytes)
  }
}
