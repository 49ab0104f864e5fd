import Foundation
import Recipes
import SystemPackage

/// Many raws developed by worker processes into one folder: what is up to date is left alone, what fails
/// costs itself, and a run that was cut off is taken up where it stood. See ``Journal`` for how.
///
/// Use from one thread; ``CancellationToken`` may be used from any.
public final class Batch {
  struct Item {
    var source: BatchSource
    var record: JournalRecord?
    var reason: String
    var began: ContinuousClock.Instant?
    var facts: SourceFacts?
    var status: FileStatus?
    var plan: SourcePlan?
    /// Whether its files are read to make sure that they are up to date.
    var isVerified = false
    /// Whether reading them showed that they are not.
    var isStale = false
    /// Whether its staged files are its own: it has a claim to what they become.
    var hasClaim = false
  }

  let options: BatchOptions
  let planner: any SourcePlanner
  let cancellation: CancellationToken
  let report: (BatchEvent) -> Void
  let journal: Journal?
  let history: JournalHistory
  var items: [Int: Item] = [:]
  var waiting: ArraySlice<Int> = []
  var claimed: [FilePath: String] = [:]
  var sourceFiles: Set<FilePath> = []
  var tally: BatchTally
  var hardFailure: BatchError?

  /// A batch of `sources`. Throws where the output folder cannot be written to or another batch is at work
  /// in it. `report` gets every event, in order.
  public convenience init(
    _ sources: [BatchSource], recipes: RecipePlanner, options: BatchOptions,
    cancellation: CancellationToken = CancellationToken(), report: @escaping (BatchEvent) -> Void
  ) throws(BatchError) {
    try self.init(
      sources, planner: recipes, options: options, cancellation: cancellation, report: report)
  }

  init(
    _ sources: [BatchSource], planner: any SourcePlanner, options: BatchOptions,
    cancellation: CancellationToken,
    report: @escaping (BatchEvent) -> Void
  ) throws(BatchError) {
    try options.validate()
    (self.options, self.planner, self.cancellation, self.report) = (
      options, planner, cancellation, report
    )
    journal = options.isDryRun ? nil : try Journal(in: options.output, writer: options.writer)
    history = try JournalHistory(
      in: options.output, of: Set(sources.map(\.path.text)), writer: options.writer)
    tally = BatchTally(total: sources.count)
    sourceFiles = Set(sources.map(\.path))
    for (index, source) in sources.enumerated() {
      items[index] = Item(source: source, reason: "new")
      waiting.append(index)
    }
  }

  /// What ended the work before its end; nil for nothing, or for a request.
  public var cause: BatchError? { hardFailure }

  /// Develops what is to be developed and says how it ended.
  public func run() throws(BatchError) -> BatchEnd {
    report(
      .start(
        BatchStart(
          version: options.version, time: Self.now, node: Machine.name,
          shard: options.shard?.description, total: tally.total, jobs: options.jobs,
          memoryBytes: options.memoryBytes, batch: options.batch)))
    let open = waiting.filter { cancellation.isCancelled || prepare($0) }
    waiting = open[...]
    clean()
    let pool = WorkerPool(
      WorkerPool.Settings(
        command: options.worker, jobs: options.jobs, threads: options.threads,
        memoryBytes: options.memoryBytes, timeoutSeconds: options.timeoutSeconds,
        graceSeconds: options.graceSeconds),
      delegate: self, cancellation: cancellation)
    try pool.run()
    for index in items.keys.sorted() { finish(index, .interrupted) }
    let code: Int
    if hardFailure != nil {
      code = 73
    } else if cancellation.isCancelled, tally.interrupted > 0 {
      code = 75
    } else {
      code = tally.failed == 0 ? 0 : tally.failed == tally.total ? 4 : 3
    }
    let end = BatchEnd(
      time: Self.now, done: tally.done, skipped: tally.skipped, failed: tally.failed,
      interrupted: tally.interrupted, crashes: pool.crashes, timeouts: pool.timeouts,
      seconds: tally.seconds, exitCode: code)
    report(.progress(tally.progress))
    report(.end(end))
    return end
  }

  /// The time in UTC, with milliseconds: reports of several machines are merged by it.
  static var now: String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
