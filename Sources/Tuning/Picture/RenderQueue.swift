import Dispatch
import Synchronization

/// Renderings, one at a time, on a thread of their own: they use all cores themselves, and must not
/// hold up the threads that tasks run on.
final class RenderQueue: Sendable {
  /// That of all sessions. Parallel loops borrow threads that tasks run on, too, all but one
  /// core's; several loops at a time would leave none.
  static let shared = RenderQueue()

  /// A rendering that may be called off.
  final class Job: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether the result is not wanted any more.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends the rendering at its next band; one that waits never begins.
    func cancel() { flag.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` once the result is not wanted.
    func check() throws { if isCancelled { throw CancellationError() } }
  }

  private let queue = DispatchQueue(label: "rawdev.tuning", qos: .userInitiated)

  /// What `body` returns, called behind all that is waiting. Throws `CancellationError` where `job`
  /// or the task was cancelled meanwhile.
  func run<Result: Sendable>(
    _ job: Job = Job(), _ body: @escaping @Sendable (Job) throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result {
              try job.check()
              let result = try body(job)
              try job.check()
              return result
            })
        }
      }
    } onCancel: {
      job.cancel()
    }
  }
}
