import Foundation
import Recipes
public import SystemPackage

/// Many raws developed by worker processes into one folder: what is up to date is left alone, what fails
/// costs itself, and a run that was cut off is taken up where it stood. See ``Journal`` for how.
///
/// Use from one thread; ``BatchStop`` may be used from any.
public final class Batch {
  private struct Item {
    var source: BatchSource
    var record: JournalRecord?
    var reason: String
    var began: ContinuousClock.Instant?
    var facts: SourceFacts?
    var status: FileStatus?
    var plan: SourcePlan?
    /// Whether its files are read to make sure that they are up to date.
    var isVerified = false
  }

  private let options: BatchOptions
  private let planner: any SourcePlanner
  private let stop: BatchStop
  private let report: (BatchEvent) -> Void
  private let journal: Journal?
  private let history: JournalHistory
  private var items: [Int: Item] = [:]
  private var waiting: [Int] = []
  private var claimed: [FilePath: String] = [:]
  private var sourceFiles: Set<FilePath> = []
  private var tally: BatchTally
  private var hardFailure: BatchError?

  /// A batch of `sources`. Throws where the output folder cannot be written to or another batch is at work
  /// in it. `report` gets every event, in order.
  public convenience init(
    _ sources: [BatchSource], recipes: RecipePlanner, options: BatchOptions,
    stop: BatchStop = BatchStop(), report: @escaping (BatchEvent) -> Void
  ) throws(BatchError) {
    try self.init(sources, planner: recipes, options: options, stop: stop, report: report)
  }

  init(
    _ sources: [BatchSource], planner: any SourcePlanner, options: BatchOptions, stop: BatchStop,
    report: @escaping (BatchEvent) -> Void
  ) throws(BatchError) {
    try options.validate()
    (self.options, self.planner, self.stop, self.report) = (options, planner, stop, report)
    journal = options.isDryRun ? nil : try Journal(in: options.output, writer: options.writer)
    history = try JournalHistory(in: options.output)
    tally = BatchTally(total: sources.count)
    sourceFiles = Set(sources.map(\.path))
    for (index, source) in sources.enumerated() {
      items[index] = Item(source: source, reason: "new")
      waiting.append(index)
    }
  }

  /// Develops what is to be developed and says how it ended.
  public func run() throws(BatchError) -> BatchEnd {
    report(
      .start(
        BatchStart(
          version: options.version, time: Self.now, node: Machine.name,
          shard: options.shard?.description, total: tally.total, jobs: options.jobs,
          memoryBytes: options.memoryBytes)))
    var places: Set<FilePath> = []
    waiting = waiting.filter { index in
      guard !stop.isRequested else { return true }
      let isFirst = items[index].map {
        $0.source.output != nil || places.insert($0.source.place).inserted
      }
      return prepare(index, isFirst: isFirst ?? true)
    }
    clean()
    let crew = Crew(
      Crew.Settings(
        command: options.worker, jobs: options.jobs, memoryBytes: options.memoryBytes,
        timeoutSeconds: options.timeoutSeconds),
      lead: self, stop: stop)
    try crew.run()
    for index in items.keys.sorted() { finish(index, .interrupted) }
    let code: Int
    if hardFailure != nil {
      code = 73
    } else if stop.isRequested, tally.interrupted > 0 {
      code = 75
    } else {
      code = tally.failed == 0 ? 0 : tally.failed == tally.total ? 4 : 3
    }
    let end = BatchEnd(
      time: Self.now, done: tally.done, skipped: tally.skipped, failed: tally.failed,
      interrupted: tally.interrupted, crashes: crew.crashes, timeouts: crew.timeouts,
      seconds: tally.seconds, exitCode: code)
    report(.progress(tally.progress))
    report(.end(end))
    return end
  }

  /// The time in UTC, with milliseconds: reports of several machines are merged by it.
  static var now: String {
    Date.now.formatted(.iso8601.time(includingFractionalSeconds: true))
  }
}

// MARK: - What is to be done

extension Batch {
  /// Whether the item has to be opened or read; else it is finished.
  private func prepare(_ index: Int, isFirst: Bool) -> Bool {
    guard var item = items[index] else { return false }
    do {
      guard isFirst else {
        throw BatchError(
          .sameOutput,
          "another source would be written to the same files; give folders instead of files, or use {folder} in names"
        )
      }
      guard let status = FileStatus(item.source.path) else {
        throw BatchError(.cannotRead, "there is no such file any more")
      }
      item.status = status
      item.record = history.records[item.source.path.text]
      if let record = item.record {
        guard status.bytes == record.bytes, status.changed == record.changed else {
          item.reason = "source changed"
          items[index] = item
          return true
        }
        let plan = try planner.plan(item.source, record.facts)
        if let reason = try staleness(record, plan, record.facts) {
          item.reason = reason
        } else if options.verifies {
          (item.isVerified, item.facts) = (true, record.facts)
        } else {
          items[index] = item
          finish(index, .skipped, reason: "up to date")
          return false
        }
      }
      items[index] = item
      return true
    } catch {
      items[index] = item
      finish(index, .failed, failure: .init(error))
      return false
    }
  }

  /// Why the outputs of `record` are not what `plan` would make; nil where they are.
  private func staleness(
    _ record: JournalRecord, _ plan: SourcePlan, _ facts: SourceFacts
  ) throws(BatchError) -> String? {
    let key = plan.outputs.key(source: facts, recipe: plan.canonical, engine: options.version)
    switch try UpToDate.outputs(
      of: record, in: options.output, completes: !options.isDryRun)
    {
    case .intact: break
    case .missing(let path): return "output missing: \(path.lastComponent?.string ?? "")"
    case .changed(let path):
      guard options.overwrites else {
        throw BatchError(
          .exists,
          "\(path.shown) was changed since it was written; move it away, or replace it with --overwrite"
        )
      }
      return "output changed"
    }
    if key == record.key { return nil }
    return facts.sha256 == record.facts.sha256 ? "recipe or engine changed" : "source changed"
  }

  /// Removes what an earlier run of the same writer staged and never finished.
  private func clean() {
    if options.isDryRun { return }
    for text in history.staged[options.writer] ?? [] {
      let staged = options.output.pushing(FilePath(text: text))
      Folders.remove(staged)
      Folders.remove(OutputPlan.unfinished(staged))
    }
  }

  /// What follows when the raw is open.
  private func begin(_ index: Int, _ facts: SourceFacts) throws -> CrewStep {
    guard var item = items[index] else { return .finish }
    item.facts = facts
    let plan = try planner.plan(item.source, facts)
    item.plan = plan
    items[index] = item
    if let record = item.record, record.facts.sha256 == facts.sha256,
      try staleness(record, plan, facts) == nil
    {
      // Touched, or copied anew, with the same content.
      if !options.isDryRun { try note(item, record.outputs) }
      finish(index, .skipped, reason: "content unchanged")
      return .finish
    }
    for file in plan.outputs.files.values { try claim(file, for: item) }
    if options.isDryRun {
      finish(index, .planned, reason: item.reason)
      return .finish
    }
    for file in plan.outputs.files.values {
      try Folders.create(options.output.pushing(file.path).removingLastComponent())
    }
    let staged = plan.outputs.files.mapValues(\.staged.text)
    try journal?.append(
      .begin(source: item.source.path.text, staged: staged.values.sorted()), isSynced: false)
    let threads = options.threads(left: items.count)
    let order = WorkerOrder(
      recipe: plan.recipe,
      staged: plan.outputs.files.mapValues { options.output.pushing($0.staged).text },
      threads: threads, thumbnail: options.thumbnail, colorMatrix: options.colorMatrix,
      lensDatabase: options.lensDatabase)
    return .ask(
      .develop(order),
      bytes: MemoryEstimate.bytes(
        pixels: facts.pixels, recipe: plan.recipe, threads: threads))
  }

  /// Makes sure that a file may be written.
  private func claim(_ file: OutputPlan.File, for item: Item) throws(BatchError) {
    let path = options.output.pushing(file.path)
    if let other = claimed.updateValue(item.source.id, forKey: path), other != item.source.id {
      throw BatchError(
        .sameOutput,
        "\(path.shown) is the output of \(other) as well; use {ext} or {folder} in names")
    }
    if sourceFiles.contains(path) {
      throw BatchError(.exists, "\(path.shown) is a source itself; name another folder")
    }
    if !options.overwrites, let status = FileStatus(path) {
      let own = item.record?.outputs.first {
        options.output.pushing(FilePath(text: $0.path)) == path
      }
      guard let own, own.item.bytes == status.bytes, own.changed == status.changed else {
        throw BatchError(
          .exists,
          "\(path.shown) is there and was not written by this batch; move it away, or replace it with --overwrite"
        )
      }
    }
  }

  /// Writes down what the source became.
  private func note(_ item: Item, _ outputs: [JournalRecord.Output]) throws(BatchError) {
    guard let facts = item.facts, let status = item.status, let plan = item.plan else { return }
    try journal?.append(
      .done(
        JournalRecord(
          source: item.source.path.text, bytes: status.bytes, changed: status.changed,
          facts: facts,
          key: plan.outputs.key(source: facts, recipe: plan.canonical, engine: options.version),
          outputs: outputs)), isSynced: true)
  }
}

// MARK: - The crew's questions

extension Batch: CrewLead {
  var isFinished: Bool { waiting.isEmpty }

  func next() -> CrewTask? {
    guard hardFailure == nil, !waiting.isEmpty else { return nil }
    let index = waiting.removeFirst()
    guard let item = items[index] else { return next() }
    items[index]?.began = .now
    let path = item.source.path
    guard item.isVerified, let record = item.record else {
      return CrewTask(id: index, first: .open(path: path.text))
    }
    let outputs = record.outputs.map { options.output.pushing(FilePath(text: $0.path)).text }
    return CrewTask(id: index, first: .digest(paths: [path.text] + outputs))
  }

  func answer(_ reply: WorkerReply, to task: CrewTask) -> CrewStep {
    guard let item = items[task.id] else { return .finish }
    do {
      switch reply {
      case .opened(let facts): return try begin(task.id, facts)
      case .digests(let digests):
        let expected = [item.record?.facts.sha256] + (item.record?.outputs ?? []).map(\.item.sha256)
        if digests.map(\.sha256) == expected {
          finish(task.id, .skipped, reason: "verified")
          return .finish
        }
        if digests.dropFirst().map(\.sha256) != Array(expected.dropFirst()), !options.overwrites {
          throw BatchError(
            .exists,
            "an output is not what was written; move it away, or replace it with --overwrite")
        }
        items[task.id]?.reason = "content changed"
        items[task.id]?.record = nil
        return .ask(.open(path: item.source.path.text), bytes: 0)
      case .developed(let result): try commit(task.id, result)
      case .failed(let failure): throw WorkerFailure(failure: failure)
      case .ready, .progress: break
      }
    } catch {
      discard(item)
      let failure = (error as? WorkerFailure)?.failure ?? BatchItem.Failure(error)
      if failure.code == "diskFull" || (error as? BatchError)?.code == .cannotWrite {
        // What follows would fail in the same way.
        hardFailure = BatchError(.cannotWrite, failure.message)
        stop.request()
      }
      finish(task.id, .failed, failure: failure)
    }
    return .finish
  }

  func progressed(_ share: Double, of task: CrewTask) {}

  func lost(_ task: CrewTask, _ loss: CrewLoss) {
    guard let item = items[task.id] else { return }
    discard(item)
    if loss == .stopped { return finish(task.id, .interrupted) }
    finish(task.id, .failed, failure: BatchItem.Failure(loss, options))
  }

  func tick() {
    if tally.isProgressDue { report(.progress(tally.progress)) }
  }
}

/// A failure that a worker told of.
private struct WorkerFailure: Error { let failure: BatchItem.Failure }

// MARK: - Ends

extension Batch {
  /// Puts the staged files in place. First it is written down that they are whole.
  private func commit(_ index: Int, _ result: WorkerResult) throws {
    guard var item = items[index], let plan = item.plan else { return }
    var outputs: [JournalRecord.Output] = []
    for var output in result.outputs {
      guard let file = plan.outputs.files[output.name] else { continue }
      let path = options.output.pushing(file.path)
      let staged = options.output.pushing(file.staged)
      guard let status = FileStatus(staged), status.bytes == output.bytes else {
        throw BatchError(.cannotWrite, "the finished file has gone", path: staged)
      }
      output.path = path.text
      outputs.append(
        .init(
          path: file.path.text, staged: file.staged.text, changed: status.changed, item: output))
    }
    // What changed while it was developed is done again by the next run.
    if let status = FileStatus(item.source.path), let before = item.status,
      status.bytes != before.bytes || status.changed != before.changed
    {
      item.status?.changed = 0
    }
    try note(item, outputs)
    for output in outputs {
      try Folders.move(
        options.output.pushing(FilePath(text: output.staged)),
        to: options.output.pushing(FilePath(text: output.path)))
    }
    finish(index, .done, result: result, outputs: outputs.map(\.item))
  }

  /// Removes what was staged for an item that came to nothing.
  private func discard(_ item: Item) {
    for file in item.plan?.outputs.files.values.map(\.staged) ?? [] {
      let staged = options.output.pushing(file)
      Folders.remove(staged)
      Folders.remove(OutputPlan.unfinished(staged))
    }
  }

  /// Reports an item and forgets it.
  private func finish(
    _ index: Int, _ status: BatchItem.Status, reason: String? = nil,
    failure: BatchItem.Failure? = nil, result: WorkerResult? = nil,
    outputs: [BatchItem.Output] = []
  ) {
    guard let item = items.removeValue(forKey: index) else { return }
    var entry = BatchItem(id: item.source.id, input: item.source.path.text, status: status)
    entry.time = Self.now
    entry.reason = reason ?? (status == .done ? item.reason : nil)
    entry.error = failure
    entry.outputs = status == .skipped ? (item.record?.outputs.map(\.item) ?? []) : outputs
    if status == .planned, let plan = item.plan {
      entry.outputs = plan.outputs.files.sorted { $0.key < $1.key }.map { name, file in
        BatchItem.Output(
          name: name, path: options.output.pushing(file.path).text,
          format: plan.recipe.outputs[name]?.format.rawValue ?? "", width: 0, height: 0, bytes: 0,
          sha256: "", contentHeadroom: 0, maxCLL: 0, maxFALL: 0)
      }
    }
    entry.warnings = (item.plan?.notes ?? []) + (result?.warnings ?? [])
    entry.camera = item.facts?.picture.camera
    (entry.fileHeadroom, entry.light) = (result?.fileHeadroom, result?.light)
    (entry.thumbnail, entry.peakBytes) = (result?.thumbnail, result?.peakBytes)
    entry.seconds = item.began.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    entry.sha256 = item.facts?.sha256 ?? item.record?.facts.sha256
    entry.node = status == .done || status == .failed ? Machine.name : nil
    tally.count(entry, pixels: item.facts?.pixels ?? 0)
    report(.item(entry))
  }
}
