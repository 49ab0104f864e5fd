/// The totals of a batch. Filled item by item, while it runs or from its reports.
public struct ReportSummary: Sendable, Hashable {
  /// A source that failed.
  public struct Failed: Sendable, Hashable {
    /// Identifier of the source.
    public var id: String
    /// Absolute path of the source.
    public var input: String
    /// The failure; with code `unknown` where the report has none.
    public var error: BatchItem.Failure
    /// Host name of the machine that tried it.
    public var node: String?
  }

  /// A problem that did not make a source fail.
  public struct Warning: Sendable, Hashable {
    /// Identifier of the source; nil for the complete batch.
    public var id: String?
    /// The problem, one line.
    public var message: String
  }

  /// One of the sources that took longest.
  public struct Slow: Sendable, Hashable {
    /// Identifier of the source.
    public var id: String
    /// Wall-clock seconds.
    public var seconds: Double
  }

  /// Sources developed.
  public private(set) var done = 0
  /// Sources that were up to date.
  public private(set) var skipped = 0
  /// Sources that could not be developed.
  public private(set) var failed = 0
  /// Sources that were interrupted.
  public private(set) var interrupted = 0
  /// Sources that a dry run would develop.
  public private(set) var planned = 0
  /// Number of failed sources by the code of their failure.
  public private(set) var failuresByCode: [String: Int] = [:]
  /// All failed sources, in the order in which they were added.
  public private(set) var failures: [Failed] = []
  /// Warnings, those about the batch first.
  public private(set) var warnings: [Warning] = []
  /// Files written.
  public private(set) var outputs = 0
  /// Length of all of these files together, bytes.
  public private(set) var bytes = 0
  /// Megapixels developed; each source counts by its largest output.
  public private(set) var megapixels = 0.0
  /// Number of sources developed, by host name.
  public private(set) var nodes: [String: Int] = [:]
  /// The ten sources that took longest, longest first.
  public private(set) var slowest: [Slow] = []
  /// Worker processes that died while they developed a source.
  public var crashes = 0
  /// Worker processes that were killed because a source took too long.
  public var timeouts = 0
  /// Wall-clock seconds during which at least one run worked.
  public var seconds = 0.0
  /// Shards with a report, like `3/8`.
  public private(set) var shards: [String] = []
  /// Shards without a report, like `1, 4–6 of 8`.
  public private(set) var missingShards: [String] = []
  /// Runs that were killed and not superseded by a later one.
  public private(set) var unfinishedRuns: [BatchRun] = []
  /// How the batch ended, by the items and runs added so far.
  public private(set) var outcome = BatchOutcome.complete

  /// The totals of no source.
  public init() {}

  /// Number of different sources.
  public var total: Int { done + skipped + failed + interrupted + planned }

  /// Developed megapixels per second; 0 where no time has passed.
  public var megapixelsPerSecond: Double { seconds > 0 ? megapixels / seconds : 0 }

  /// Adds a source; each may be added once.
  public mutating func add(_ item: BatchItem) {
    switch item.status {
    case .done: add(done: item)
    case .skipped: skipped += 1
    case .interrupted: interrupted += 1
    case .planned: planned += 1
    case .failed:
      failed += 1
      let error =
        item.error
        ?? BatchItem.Failure(code: "unknown", message: "failed without a reason in the report")
      failuresByCode[error.code, default: 0] += 1
      failures.append(Failed(id: item.id, input: item.input, error: error, node: item.node))
    }
    warnings += item.warnings.map { Warning(id: item.id, message: $0) }
    if let others = item.alsoDoneBy, !others.isEmpty {
      let nodes = ([item.node ?? "another machine"] + others).joined(separator: " and ")
      warnings.append(Warning(id: item.id, message: "developed twice: by \(nodes)"))
    }
    setOutcome()
  }

  private mutating func add(done item: BatchItem) {
    done += 1
    var largest = 0.0
    for output in item.outputs {
      outputs += 1
      bytes = Self.sum(bytes, output.bytes)
      largest = max(largest, Double(max(output.width, 0)) * Double(max(output.height, 0)) / 1e6)
    }
    megapixels += largest
    if let node = item.node { nodes[node, default: 0] += 1 }
    guard item.seconds.isFinite, item.seconds > 0 else { return }
    let at = slowest.firstIndex { $0.seconds < item.seconds } ?? slowest.endIndex
    if at < 10 { slowest.insert(Slow(id: item.id, seconds: item.seconds), at: at) }
    if slowest.count > 10 { slowest.removeLast() }
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooLarge) = a.addingReportingOverflow(max(b, 0))
    return isTooLarge ? .max : sum
  }

  /// Adds all runs.
  mutating func add(_ runs: [BatchRun], coverage: BatchCoverage) {
    for run in runs {
      if nodes[run.start.node] == nil { nodes[run.start.node] = 0 }
      crashes = Self.sum(crashes, run.end?.crashes ?? 0)
      timeouts = Self.sum(timeouts, run.end?.timeouts ?? 0)
    }
    shards = Set(shards).union(runs.compactMap(\.start.shard)).sorted {
      $0.utf8.count == $1.utf8.count ? $0 < $1 : $0.utf8.count < $1.utf8.count
    }
    crashes = max(crashes, failuresByCode["crashed"] ?? 0)
    timeouts = max(timeouts, failuresByCode["timeout"] ?? 0)
    seconds += Self.workedSeconds(runs)
    (missingShards, unfinishedRuns) = (coverage.missing, coverage.unfinished)
    var new = missingShards.map {
      Warning(message: "no report of shards \($0): run them, or add their reports")
    }
    new += unfinishedRuns.map { run in
      let shard = run.start.shard.map { "shard \($0)" } ?? "the run"
      return Warning(
        message: "\(shard) on \(run.start.node) names \(run.items) of \(run.start.total) sources: "
          + "it was cut off; run it again")
    }
    warnings.insert(contentsOf: new, at: 0)
    setOutcome()
  }

  /// Adds the problems met while reading reports, as warnings.
  public mutating func add(_ reading: ReportLog.Reading) {
    var new = reading.problems.map {
      Warning(message: "line \($0.line) of \($0.report) \($0.message); it was left out")
    }
    if reading.badLines > reading.problems.count {
      let more = reading.badLines - reading.problems.count
      new.append(Warning(message: "\(more) more lines of the reports were left out"))
    }
    new += reading.truncatedReports.map { Warning(message: "the last line of \($0) was cut off") }
    if reading.schema > 1 {
      new.append(
        Warning(
          message: "the reports have schema \(reading.schema), this version reads 1: "
            + "unknown parts were ignored"))
    }
    warnings.insert(contentsOf: new, at: 0)
  }

  private mutating func setOutcome() {
    let isCutOff = interrupted > 0 || !missingShards.isEmpty || !unfinishedRuns.isEmpty
    outcome = isCutOff ? .interrupted : BatchOutcome(failed: failed, of: total)
  }

  /// Seconds during which at least one of the runs worked; runs without times are added.
  private static func workedSeconds(_ runs: [BatchRun]) -> Double {
    var (sum, end) = (0.0, -Double.infinity)
    for run in runs.sorted(by: BatchRun.isEarlier) {
      guard run.seconds.isFinite, run.seconds > 0 else { continue }
      let from = run.moment
      if from == -.infinity {
        sum += run.seconds
        continue
      }
      sum += max(from + run.seconds - max(from, end), 0)
      end = max(end, from + run.seconds)
    }
    return sum
  }
}

extension ReportMerge {
  /// The totals of all reports. Reads the line of every source again.
  public func summary() throws -> ReportSummary {
    var summary = ReportSummary()
    try items { summary.add($0) }
    summary.add(runs, coverage: coverage)
    summary.add(reading)
    return summary
  }
}
