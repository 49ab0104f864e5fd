public import Foundation

/// Several reports – shards, repetitions, retries of failures – as one: the final state of every
/// source (see `SourceOutcome`), all runs, and what is missing. The report of a single run is the
/// simplest case.
///
/// The result does not depend on the order of reports, a duplicate report changes nothing, and a
/// merged report may be merged again. Only line offsets are held, so thumbnails cost no memory; the
/// reports must not change, other than grow, while this value is used.
public struct ReportMerge: Sendable {
  /// All runs, by the time of their start.
  public let runs: [BatchRun]
  /// Counts and problems met while reading.
  public let reading: ReportLog.Reading
  /// Shards and runs without a complete report.
  let coverage: BatchCoverage
  private let log: ReportLog
  private let outcomes: [String: SourceOutcome]
  private let order: [String]

  /// Reads the reports once. With `isPart`, shards without a report do not count as missing. Throws
  /// ``BatchError``.
  public init(_ log: ReportLog, isPart: Bool = false) throws {
    self.log = log
    var collector = ReportCollector()
    reading = try log.read { event, position in collector.take(event, position) }
    collector.endRun()
    (runs, outcomes) = (collector.runs.values.sorted(by: BatchRun.isEarlier), collector.outcomes)
    order = outcomes.keys.sorted()
    coverage = BatchCoverage(runs, isPart: isPart)
  }

  /// Number of different sources.
  public var count: Int { order.count }

  /// Number of sources with this final status.
  public func count(of status: BatchItem.Status) -> Int {
    outcomes.values.count { $0.effective.status == status }
  }

  /// The identifiers of `items` with this status, in its order.
  func identifiers(of status: BatchItem.Status) -> [String] {
    order.filter { outcomes[$0]?.effective.status == status }
  }

  /// Calls `body` with every source whose final status is one of `statuses`, by identifier. Reads
  /// its line again; throws ``BatchError`` where the file has changed.
  public func items(
    _ statuses: Set<BatchItem.Status> = Set(BatchItem.Status.allCases),
    _ body: (BatchItem) throws -> Void
  ) throws {
    for id in order {
      guard let outcome = outcomes[id], statuses.contains(outcome.effective.status) else {
        continue
      }
      guard case .item(let item) = try log.event(at: outcome.effective.position) else { continue }
      try body(outcome.complete(item))
    }
  }

  /// How the batch ended: ``BatchOutcome/interrupted`` when anything was interrupted, cut off or
  /// is missing.
  public var outcome: BatchOutcome {
    if count(of: .interrupted) > 0 || !coverage.isComplete { return .interrupted }
    return BatchOutcome(failed: count(of: .failed), of: count)
  }

  /// Writes the merged report, line by line.
  public func write(to write: (Data) throws -> Void) throws {
    let summary = try summary()
    try write(try BatchEvent.start(start).line())
    try items { try write(try BatchEvent.item($0).line()) }
    try write(
      try BatchEvent.end(
        BatchEnd(
          time: lastEnd ?? start.time, done: summary.done, skipped: summary.skipped,
          failed: summary.failed, interrupted: summary.interrupted, crashes: summary.crashes,
          timeouts: summary.timeouts, seconds: summary.seconds, exitCode: outcome.rawValue)
      ).line())
  }

  /// When the last run ended; nil where all were killed.
  var lastEnd: String? {
    runs.compactMap(\.end?.time).max { ReportTime.order($0) < ReportTime.order($1) }
  }

  private var start: BatchStart {
    func all(_ fact: (BatchStart) -> String) -> String {
      Set(runs.map { fact($0.start) }).sorted().joined(separator: ", ")
    }
    return BatchStart(
      version: all(\.version), time: runs.first?.start.time ?? "", node: all(\.node), total: count,
      jobs: runs.map(\.start.jobs).max() ?? 0,
      memoryBytes: runs.map(\.start.memoryBytes).max() ?? 0, runs: runs)
  }

  /// Writes a manifest of all sources that failed or were interrupted, line by line.
  public func writeRetryManifest(to write: (Data) throws -> Void) throws {
    try items([.failed, .interrupted]) { item in
      try write(JSONLine.encode(item.entry ?? ManifestEntry(id: item.id, in: item.input)))
    }
  }
}

/// Sorts the lines of reports by runs and sources.
private struct ReportCollector {
  var runs: [BatchStart: BatchRun] = [:]
  var outcomes: [String: SourceOutcome] = [:]
  private var run: BatchRun?
  private var seen: Set<String> = []
  private var source: Int32 = -1

  mutating func take(_ event: BatchEvent, _ position: ReportLog.Position) {
    if position.source != source {
      endRun()
      source = position.source
    }
    switch event {
    case .start(let start):
      endRun()
      if let parts = start.runs { parts.forEach { add($0) } } else { run = BatchRun(start: start) }
    case .progress(let progress):
      if let run { self.run?.seconds = max(run.seconds, progress.seconds) }
    case .end(let end):
      if run != nil {
        run?.end = end
        run?.seconds = end.seconds
      }
    case .item(let item):
      if run != nil { seen.insert(item.id) }
      let observation = SourceOutcome.Observation(
        item, time: run?.start.time, node: run?.start.node, position: position)
      let outcome = SourceOutcome(observation, item: item)
      outcomes[item.id]?.join(outcome)
      if outcomes[item.id] == nil { outcomes[item.id] = outcome }
    }
  }

  mutating func endRun() {
    if var run {
      run.items = seen.count
      add(run)
    }
    (run, seen) = (nil, [])
  }

  private mutating func add(_ run: BatchRun) {
    var run = run
    run.start.runs = nil
    runs[run.start]?.join(run)
    if runs[run.start] == nil { runs[run.start] = run }
  }
}
