import ArgumentParser
import Batch
import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage

/// `rawdev batch`
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Develops complete folders: resumable, each file on its own.",
    discussion: """
      Folders are searched for raws and mirrored below -o. Files that are up to date are skipped. \
      A file that fails, hangs or crashes a decoder fails alone and is named; the rest continue. \
      After a kill the next run continues where the last one ended. Recipes come from \
      .rawdev/defaults.yaml, --recipe and sidecars. A report page and a report as JSON lines are \
      written to the output folder.
      """)

  @Argument(help: "Folders and raws.", completion: .file())
  var inputs: [String] = []

  @Option(help: "List of raws as JSON lines, see rawdev manifest.", completion: .file())
  var manifest: String?

  @Option(name: [.short, .long], help: "Folder for the outputs.", completion: .directory)
  var output: String

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @Option(
    help: """
      File of values found once for all frames of a camera, style and illumination; entries that \
      it lacks are made from the first frame of the list to which each applies.
      """, completion: .file())
  var series: String?

  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Work") var work: WorkOptions

  @OptionGroup(title: "Frame") var frame: FrameOptions

  @Option(help: "Develop one of n parts of the batch: k/n with k from 0, or auto.")
  var shard: String?

  @Flag(help: "Put all outputs into one folder.")
  var flat = false

  @Option(
    help:
      "Merge brackets, which are found by their Exif, to one picture each (auto), or not (none).")
  var merge = BracketChoice.none

  @Flag(help: "Compare files that look up to date with their digests.")
  var verify = false

  @Flag(help: "Replace files that were not written by this batch, or changed since.")
  var overwrite = false

  @Flag(help: "Print what would be done, and why, without writing files.")
  var dryRun = false

  @Flag(help: "Keep running and develop new and changed files, until interrupted.")
  var watch = false

  @Option(help: "With --watch: seconds without change after which a file counts as complete.")
  var settle = 5.0

  @OptionGroup var terminal: TerminalOptions

  @Flag(inversion: .prefixedNo, help: "Leave a report in the output folder.")
  var report = true

  @Flag(
    inversion: .prefixedNo,
    help: "Print JSON lines on standard output. (default: where that is no terminal)")
  var json: Bool?

  func validate() throws {
    guard !watch || manifest == nil && shard == nil && !dryRun else {
      throw ValidationError("--watch needs folders and files, without --shard or --dry-run")
    }
    guard merge == .none || !watch else {
      throw ValidationError("--merge needs all frames at the start; it does not go with --watch")
    }
    guard settle >= 0, settle <= 86_400 else {
      throw ValidationError("--settle takes 0 to 86400 seconds")
    }
  }

  func run() throws {
    let here = ArgumentPath.workingFolder
    let target = ArgumentPath.absolute(output)
    let cancellation = Interruption.cancellation()
    var options = BatchOptions(output: target, worker: WorkerCommand.command)
    try work.apply(to: &options)
    (options.verifies, options.overwrites, options.isDryRun) = (verify, overwrite, dryRun)
    options.shard = try shard.map { try Shard($0) }
    let environment = ProcessInfo.processInfo.environment
    options.batch = environment["RAWDEV_BATCH"] ?? environment["SLURM_ARRAY_JOB_ID"]
    var raw = frame.values
    if let series {
      raw["series"] = .text(series)
      if !dryRun { try SeriesFile.check(series) }
    }
    let planner = RecipePlanner(
      try recipes.resolver(raw: raw), outputs: try chosenOutput, workingFolder: here)
    if watch { try watch(planner, options, cancellation, here) }
    var (sources, isComplete) = try sources(here, target)
    if merge == .auto { sources = try merged(sources, options, cancellation) }
    var (outcome, _) = try round(sources, planner, options, cancellation, here)
    // Folders that cannot be read are failures.
    if outcome == .complete, !isComplete { outcome = .someFailed }
    if let status = ExitStatus(outcome) { throw status }
  }

  /// Develops complete files, and again whenever something changes, until it is cancelled.
  private func watch(
    _ planner: RecipePlanner, _ options: BatchOptions, _ cancellation: CancellationToken,
    _ here: FilePath
  ) throws -> Never {
    var list = WatchList(
      inputs.map(ArgumentPath.path), workingFolder: here, except: options.output, isFlat: flat,
      settleSeconds: settle)
    var isFirst = true
    var message: String?
    var unread: [String] = []
    // Sources that could not be read are tried again, after ever longer pauses.
    var again = (wait: Duration.seconds(10), due: ContinuousClock.Instant?.none)
    while !cancellation.isCancelled {
      do {
        if let due = again.due, due <= .now {
          (again.wait, again.due) = (min(again.wait * 2, .seconds(600)), nil)
          list.forget()
        }
        let sources = try list.round()
        let failures = list.failures.map { "\($0)" }
        for failure in failures where !unread.contains(failure) { Terminal.failure(failure) }
        unread = failures
        if let sources, !sources.isEmpty {
          planner.forget()
          let (outcome, hasUnread) = try round(
            sources, planner, options, cancellation, here, continues: !isFirst)
          if outcome == .cannotWrite { throw ExitStatus.cannotWrite }
          isFirst = false
          if hasUnread { again.due = .now + again.wait } else { again.wait = .seconds(10) }
        }
        message = nil
      } catch let error as BatchError where error.code == .cannotRead && !isFirst {
        // A network folder may be unavailable for a while.
        if message != "\(error)" { Terminal.failure("\(error); waiting for it") }
        message = "\(error)"
        list.forget()
      }
      cancellation.wait(seconds: 1)
    }
    throw ExitStatus.interrupted
  }

  /// Develops `sources` once and reports how that ended, and whether some could not be read.
  private func round(
    _ sources: [RawSource], _ planner: RecipePlanner, _ options: BatchOptions,
    _ cancellation: CancellationToken, _ here: FilePath, continues: Bool = false
  ) throws -> (BatchOutcome, hasUnread: Bool) {
    var hasUnread = false
    let printer = BatchPrinter(json: json)
    var files: ReportFiles?
    var failure: BatchError?
    let batch = try Batch(
      options.shard?.part(of: sources) ?? sources, of: sources, recipes: planner,
      options: options, cancellation: cancellation
    ) { event in
      do { try files?.add(event) } catch {
        failure = failure ?? error as? BatchError
      }
      if case .item(let item) = event, item.error?.code == BatchError.Code.cannotRead.rawValue {
        hasUnread = true
      }
      printer.show(event)
    }
    // The batch holds the lock of its folder now.
    if report, !dryRun {
      files = try ReportFiles(
        in: options.output, shard: options.shard, workingFolder: here, continues: continues)
    }
    let end = try batch.run()
    let summary = try files?.finish()
    if let failure { throw failure }
    Terminal.clearProgress()
    if end.outcome == .cannotWrite, let cause = batch.cause {
      Terminal.failure(Hint.text(cause))
    }
    if printer.isForPeople, !terminal.quiet, let files, let summary {
      Terminal.message(
        ReportText.summary(
          summary, reports: [files.page.shown], namesFailures: false), keepsLines: true)
    }
    return (end.outcome ?? .complete, hasUnread)
  }

  /// The sources with the frames of each bracket as one.
  private func merged(
    _ sources: [RawSource], _ options: BatchOptions, _ cancellation: CancellationToken
  ) throws -> [RawSource] {
    let joined = try BracketScan(sources, options: options, cancellation: cancellation).joined()
    let brackets = joined.filter { !$0.frames.isEmpty }
    if brackets.isEmpty {
      Terminal.message("no brackets were found")
    } else if dryRun {
      for bracket in brackets {
        let names = bracket.frames.map { $0.lastComponent?.string ?? "" }.joined(separator: " + ")
        Terminal.message("bracket: \(names)")
      }
    }
    return joined
  }

  /// The output that options describe; nil to use the outputs of recipes.
  private var chosenOutput: RecipePlanner.OutputChoice? {
    get throws {
      guard outputOptions.isGiven else { return nil }
      let chosen = outputOptions.chosen()
      _ = try chosen([:])
      return chosen
    }
  }

  /// The sources, and whether all folders could be read.
  private func sources(_ here: FilePath, _ target: FilePath) throws -> ([RawSource], Bool) {
    if let manifest {
      guard inputs.isEmpty else { throw ValidationError("give files and folders, or --manifest") }
      return (try Manifest.sources(at: ArgumentPath.path(manifest), workingFolder: here), true)
    }
    guard !inputs.isEmpty else { throw ValidationError("give folders, raws or --manifest") }
    let list = try SourceList(
      inputs.map(ArgumentPath.path), workingFolder: here, except: target, isFlat: flat)
    for failure in list.failures { Terminal.failure("\(failure)") }
    return (list.sources, list.failures.isEmpty)
  }
}
