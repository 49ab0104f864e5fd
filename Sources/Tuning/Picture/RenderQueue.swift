import Dispatch
import ImageCore

/// Renderings, one at a time, on a thread of their own: they use all cores themselves, and must not
/// hold up the threads that tasks run on.
final class RenderQueue: Sendable {
  /// That of all sessions. Parallel loops borrow threads that tasks run on, too, all but one
  /// core's; several loops at a time would leave none.
  static let shared = RenderQueue()

  private let queue = DispatchQueue(label: "rawdev.tuning", qos: .userInitiated)

  /// What `body` returns, called behind all that is waiting: `job` ends it at its next band, and
  /// what waits never begins. Throws `CancellationError` where `job` or the task was cancelled
  /// meanwhile.
  func run<Result: Sendable>(
    _ job: Cancellation = Cancellation(), _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result {
              let result = Swift.Result {
                try job.run { () throws(any Error) in job.isCancelled ? nil : try body() }
              }
              guard !job.isCancelled, let made = try result.get() else {
                throw CancellationError()
              }
              return made
            })
        }
      }
    } onCancel: {
      job.cancel()
    }
  }
}
