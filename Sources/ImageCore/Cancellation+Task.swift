import Foundation

extension Cancellation {
  /// Stack of a thread for work that blocks it: pictures that are read through many others take
  /// some for each.
  static let stackBytes = 8 << 20

  /// Calls `body` on a thread of its own, for use in tasks: developing blocks a thread for seconds,
  /// which must not be one of the concurrency pool. Cancelling the task cancels the work.
  public static func ofTask<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Result<R, E>, Never>) in
        detach {
          done.resume(
            returning: Result { () throws(E) in try cancellation.run(body) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }.get()
  }

  /// Calls `body`, which blocks its thread, on one of its own.
  package static func detach(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "rawdev work"
    thread.stackSize = stackBytes
    thread.start()
  }
}
