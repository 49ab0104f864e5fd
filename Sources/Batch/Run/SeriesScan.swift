import Develop
import RawFilter
import SystemPackage

/// Finds the entries that a series lacks. Worker processes read which frames use one entry, and
/// decode the frames that decide, one after another for each entry.
///
/// So one list gives the same entries in any order of completion, and in every shard of the batch:
/// each shard reads the complete list where its own sources lack an entry.
final class SeriesScan {
  private let sources: [RawSource]
  private let planner: SourcePlanner
  private let options: BatchOptions
  /// The file that is made.
  private let path: String
  /// The series keys of sources, by their index in the list.
  private var keys: [Int: SeriesKey]
  private var pixels: [Int: Int] = [:]
  private var tasks: [Task] = []
  private var running: [Int: Task] = [:]
  private var number = 0
  private var groups: [SeriesGroup] = []
  private var decisions: [SeriesDecision] = []

  private enum Task {
    /// Read the properties of a source.
    case open(Int)
    /// Decode the frame at `at` of a group.
    case measure(group: Int, at: Int)
  }

  /// A search among `sources` for what the file at `path` lacks. `known` has the keys of sources
  /// that are already known; the others are opened unless they are in `settled`.
  init(
    _ sources: [RawSource], known: [Int: SeriesKey], settled: Set<Int>, path: String,
    planner: SourcePlanner, options: BatchOptions
  ) {
    (self.sources, keys, self.path) = (sources, known, path)
    (self.planner, self.options) = (planner, options)
    tasks = sources.indices.filter {
      known[$0] == nil && !settled.contains($0) && !sources[$0].isDuplicate
    }.map { .open($0) }
  }

  /// The entries that the file lacks, in the order of the list. Throws where no worker can be
  /// started, or the file cannot be used.
  func entries(_ cancellation: CancellationToken) throws -> [SeriesEntry] {
    try WorkerPool(options.pool, delegate: self, cancellation: cancellation).run()
    let file = try planner.series(path)
    groups = SeriesGroup.groups(
      of: keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, in: file)
    decisions = groups.map { _ in SeriesDecision() }
    tasks = groups.indices.map { .measure(group: $0, at: 0) }
    try WorkerPool(options.pool, delegate: self, cancellation: cancellation).run()
    guard !cancellation.isCancelled else { return [] }
    return zip(groups, decisions).compactMap { $1.entry(of: $0.key) }
  }
}

extension SeriesScan: WorkerPoolDelegate {
  var isFinished: Bool { tasks.isEmpty }

  func next() -> WorkerTask? {
    guard !tasks.isEmpty else { return nil }
    let task = tasks.removeFirst()
    number += 1
    running[number] = task
    let source =
      switch task {
      case .open(let index): index
      case .measure(let group, let at): groups[group].frames[at]
      }
    return WorkerTask(
      id: number, first: .openRaw(path: sources[source].path.text, isHandedOver: false))
  }

  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
    switch (running[task.id], reply) {
    case (.open(let index), .opened(let info)):
      guard let series = try? planner.plan(sources[index], info).series, series.path == path else {
        break
      }
      keys[index] = series.key
    case (.measure(let group, let at), .opened(let info)):
      guard let plan = try? planner.plan(sources[groups[group].frames[at]], info) else { break }
      return WorkerStep(measure: plan.recipe, info, options)
    case (.measure(let group, let at), .measured(let findings, let trust)):
      let name = sources[groups[group].frames[at]].path.lastComponent?.string ?? ""
      guard SeriesEntry(groups[group].key, source: name, findings).isSound else { break }
      decisions[group].add(findings, trust: min(max(trust, 0), 2), source: name)
    default: break
    }
    ended(task)
    return .finish
  }

  func progressed(_ fraction: Double, of task: WorkerTask) {}
  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) { ended(task) }
  func tick() {}

  /// Continues with the next frame of a group that is not decided.
  private func ended(_ task: WorkerTask) {
    guard case .measure(let group, let at)? = running.removeValue(forKey: task.id),
      !decisions[group].isMade, at + 1 < groups[group].frames.count
    else { return }
    tasks.insert(.measure(group: group, at: at + 1), at: 0)
  }
}
