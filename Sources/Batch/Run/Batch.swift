public import Develop
import ImageCore
import Recipes
import SystemPackage

/// Develops many raws by worker processes into one folder. What is up to date is skipped, a bad
/// file fails alone and the rest continue, and the next run continues one that was killed. See
/// `Journal` for the method.
///
/// Use from one thread; ``CancellationToken`` may be used from any.
public final class Batch {
  struct Item {
    var source: RawSource
    var record: JournalRecord?
    var reason: String
    var began: ContinuousClock.Instant?
    var info: SourceInfo?
    var status: FileStatus?
    var plan: SourcePlan?
    /// The files at the paths of its outputs, by output name, when its development began: these
    /// are replaced.
    var replaced: [String: FileStatus] = [:]
    /// Whether its files are read and compared with their digests before it counts as up to date.
    var isVerified = false
    /// Whether their digests differ, so that it is not up to date.
    var isStale = false
    /// Whether its output paths are claimed, so that staged files of these names are its own.
    var hasClaim = false
  }

  let sources: [RawSource]
  /// All sources of the batch that ``sources`` are a shard of.
  let list: [RawSource]
  let options: BatchOptions
  let planner: SourcePlanner
  let cancellation: CancellationToken
  let report: (BatchEvent) -> Void
  let journal: Journal?
  let history: JournalHistory
  var items: [Int: Item] = [:]
  var waiting: ArraySlice<Int> = []
  var claimed: [FilePath: RawSource] = [:]
  var sourceFiles: Set<FilePath> = []
  /// The inputs of the complete batch, none of which is replaced.
  var inputFiles: Set<FilePath> = []
  /// Their identities, independent of paths; evaluated only where an output exists already.
  lazy var sourceIdentities = Set(inputFiles.compactMap { FileStatus($0)?.identity })
  /// All records of the journals, by their keys; read where outputs are there that are of no
  /// source.
  var recordsByKey: [String: JournalRecord]?
  var tally: BatchTally
  var hardFailure: BatchError?
  /// Sources that wait for an entry of their series, by their index.
  var held: [Int: SeriesReference] = [:]
  /// Series, by path, that have all entries that can be made.
  var settledSeries: Set<String> = []

  /// A batch of `sources`, which reports every event in order and from the thread that calls
  /// ``run()``.
  ///
  /// `list` has the sources of the complete batch where these are a shard of it: the first of them
  /// decides what a series holds.
  ///
  /// Reads all journals of the output folder. Throws ``BatchError`` where an option is outside its
  /// range, the output folder cannot be written to or another batch has locked it.
  public init(
    _ sources: [RawSource], of list: [RawSource]? = nil, recipes: RecipePlanner,
    options: BatchOptions, cancellation: CancellationToken = CancellationToken(),
    report: @escaping (BatchEvent) -> Void
  ) throws(BatchError) {
    try options.validate()
    (self.options, self.cancellation, self.report) = (options, cancellation, report)
    (self.sources, self.list) = (sources, list ?? sources)
    planner = SourcePlanner(recipes, colorMatrix: options.colorMatrix)
    journal = options.isDryRun ? nil : try Journal(in: options.output, writer: options.writer)
    history = try JournalHistory(
      in: options.output, of: Set(sources.map(\.path.text)), writer: options.writer)
    tally = BatchTally(total: sources.count)
    sourceFiles = Set(sources.flatMap { [$0.path] + $0.frames })
    inputFiles = sourceFiles.union((list ?? []).flatMap { [$0.path] + $0.frames })
    for (index, source) in sources.enumerated() {
      items[index] = Item(source: source, reason: "new")
      waiting.append(index)
    }
  }

  /// What ended the batch early, with ``BatchOutcome/cannotWrite``; nil for any other end.
  public var cause: BatchError? { hardFailure }

  /// Develops what is not up to date and returns the last event. Blocks until all is done or
  /// cancelled. Throws where no worker can be started.
  public func run() throws(BatchError) -> BatchEnd {
    report(
      .start(
        BatchStart(
          version: options.version, time: ReportTime.now, node: Machine.name,
          shard: options.shard?.description, total: tally.total, jobs: options.jobs,
          memoryBytes: options.memoryBytes, batch: options.batch)))
    let open = waiting.filter { cancellation.isCancelled || prepare($0) }
    waiting = open[...]
    clean()
    var (crashes, timeouts) = (0, 0)
    repeat {
      let pool = WorkerPool(options.pool, delegate: self, cancellation: cancellation)
      try pool.run()
      (crashes, timeouts) = (crashes + pool.crashes, timeouts + pool.timeouts)
    } while makeSeries()
    for index in items.keys.sorted() { finish(index, .interrupted) }
    let outcome: BatchOutcome
    if hardFailure != nil {
      outcome = .cannotWrite
    } else if tally.interrupted > 0 {
      outcome = .interrupted
    } else {
      outcome = BatchOutcome(failed: tally.failed, of: tally.total)
    }
    let end = BatchEnd(
      time: ReportTime.now, done: tally.done, skipped: tally.skipped, failed: tally.failed,
      interrupted: tally.interrupted, crashes: crashes, timeouts: timeouts,
      seconds: tally.seconds, exitCode: outcome.rawValue)
    report(.progress(tally.progress))
    report(.end(end))
    return end
  }
}
