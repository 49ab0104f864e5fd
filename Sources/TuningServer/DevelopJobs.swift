import Dispatch
import Synchronization
import SystemPackage
import Tuning

/// The developments that pages asked for, one after the other: each uses all cores, and a folder
/// has one batch at a time.
final class DevelopJobs: Sendable {
  private let folder: TuningFolder
  private let isSingle: Bool
  private let applied: AppliedDocuments
  private let worker: [String]
  private let pages: Pages
  private let queue = DispatchQueue(label: "rawdev.develop", qos: .utility)
  private struct State {
    var next = 1
    var isOver = false
    var jobs: [Int: DevelopJob] = [:]
  }
  private let state = Mutex(State())

  init(
    folder: TuningFolder, isSingle: Bool, applied: AppliedDocuments, worker: [String], pages: Pages
  ) {
    (self.folder, self.isSingle, self.applied) = (folder, isSingle, applied)
    (self.worker, self.pages) = (worker, pages)
  }

  /// Begins a job; its number.
  func begin(_ request: DevelopRequest) throws(RequestRefusal) -> Int {
    let job = state.withLock { state -> (Int, DevelopJob)? in
      guard !state.isOver else { return nil }
      if state.jobs.count >= TuningLimits.jobs {
        let ended = state.jobs.filter { $0.value.status.state != .running }.keys.min()
        guard let ended else { return nil }
        state.jobs[ended] = nil
      }
      let number = state.next
      state.next += 1
      let job = DevelopJob(
        number, request, folder: folder, isSingle: isSingle, applied: applied,
        worker: worker
      ) { [pages] in pages.send(.job($0)) }
      state.jobs[number] = job
      return (number, job)
    }
    guard let (number, job) = job else { throw .busy }
    pages.send(.job(job.status))
    queue.async { job.run() }
    return number
  }

  /// The job of this number. Throws if it is unknown.
  func job(_ number: Int) throws(RequestRefusal) -> DevelopJob {
    guard let job = state.withLock({ $0.jobs[number] }) else {
      throw .notFound("there is no job \(number)")
    }
    return job
  }

  /// How far all jobs are, the oldest first.
  var statuses: [JobState] {
    state.withLock { $0.jobs.sorted { $0.key < $1.key }.map(\.value) }.map(\.status)
  }

  /// Cancels all jobs and waits for their worker processes to end.
  func finish() async {
    let jobs = state.withLock { state in
      state.isOver = true
      return Array(state.jobs.values)
    }
    for job in jobs { job.cancel() }
    await withCheckedContinuation { done in queue.async { done.resume() } }
  }
}
