import Dispatch

/// Threads for work that computes or waits for the disk, so that the server's own threads stay free
/// to answer. ``WorkQueue`` limits their concurrency.
final class RenderExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ label: String, _ quality: DispatchQoS) {
    queue = DispatchQueue(label: label, qos: quality, attributes: .concurrent)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
