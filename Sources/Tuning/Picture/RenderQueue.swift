import Dispatch
import ImageCore

/// Renderings, one at a time, on a thread of their own: they use all cores themselves, and must not
/// hold up the threads that tasks run on.
final class RenderQueue: Sendable {
  /// The queue of all sessions. Parallel loops use threads that tasks run on, too, all except one
  /// core's; several loops at a time would leave none.
  static let shared = RenderQueue()

  private let queue = DispatchQueue(label: "rawdev.tuning", qos: .userInitiated)

  /// The result of `body`, called after everything that is waiting: `job` cancels it at its next
  /// band, and waiting work never starts. Throws `CancellationError` where `job` or the task was
  /// cancelled meanwhile.
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
