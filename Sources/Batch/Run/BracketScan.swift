public import Develop
import SystemPackage

/// Finds the brackets among sources. Worker processes read the properties of each, so that a file
/// that crashes a decoder belongs to no bracket, and fails when it is developed.
public final class BracketScan {
  private let sources: [RawSource]
  private let pool: WorkerPool.Settings
  private let cancellation: CancellationToken
  private var waiting: Range<Int>
  private var info: [Int: SourceInfo] = [:]

  /// A search among `sources`, by workers as `options` has them.
  public init(
    _ sources: [RawSource], options: BatchOptions,
    cancellation: CancellationToken = CancellationToken()
  ) throws(BatchError) {
    try options.validate()
    (self.sources, pool, self.cancellation) = (sources, options.pool, cancellation)
    waiting = sources.indices
  }

  /// The sources with the frames of each bracket as one. Throws where no worker can be started.
  public func joined() throws(BatchError) -> [RawSource] {
    try WorkerPool(pool, delegate: self, cancellation: cancellation).run()
    return BracketGroups.joined(
      sources,
      sources.indices.compactMap { index in
        info[index].map { BracketGroups.Candidate(sources[index], $0) }
      })
  }
}

extension BracketScan: WorkerPoolDelegate {
  var isFinished: Bool { waiting.isEmpty }

  func next() -> WorkerTask? {
    waiting.popFirst().map {
      WorkerTask(id: $0, first: .open(path: sources[$0].path.text))
    }
  }

  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
    if case .opened(let found) = reply { info[task.id] = found }
    return .finish
  }

  func progressed(_ fraction: Double, of task: WorkerTask) {}
  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) {}
  func tick() {}
}
