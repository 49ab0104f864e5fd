import Dispatch
import ImageCore
import Synchronization

/// Renderings, one at a time, on a thread of their own: they use all cores themselves, and must not
/// hold up the threads that tasks run on. What nobody waits for urgently is rendered in between.
final class RenderQueue: Sendable {
  /// The queue of all sessions. Parallel loops use threads that tasks run on, too, all except one
  /// core's; several loops at a time would leave none.
  static let shared = RenderQueue()

  private struct State {
    /// Urgent work that is done or waits.
    var urgent = 0
    /// When the last of it ended.
    var ended = ContinuousClock.now
    /// The idle work that is done.
    var idle: Cancellation?
    /// Numbers of the idle work that waits or is done, in the order in which it was asked for.
    var tickets: [Int] = []
    var last = 0

    /// Begins `job` of this number if its turn has come.
    mutating func begin(_ job: Cancellation, _ ticket: Int) -> Bool {
      guard urgent == 0, idle == nil, tickets.first == ticket, ended.duration(to: .now) >= pause
      else { return false }
      idle = job
      return true
    }
  }

  private let queue = DispatchQueue(label: "rawdev.tuning", qos: .userInitiated)
  private let idleQueue = DispatchQueue(label: "rawdev.idle", qos: .background)
  private let state = Mutex(State())

  /// Idle work begins this long after the last urgent work: a hand that moves asks for the next
  /// picture by then.
  private static let pause = Duration.milliseconds(100)
  /// Interval at which idle work looks whether it may begin.
  private static let interval = Duration.milliseconds(25)

  /// The result of `body`, called after everything that is waiting: `job` cancels it at its next
  /// band, and waiting work never starts. Throws `CancellationError` where `job` or the task was
  /// cancelled meanwhile.
  func run<Result: Sendable>(
    _ job: Cancellation = Cancellation(), _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    state.withLock { state in
      state.urgent += 1
      state.idle?.cancel()
    }
    defer {
      state.withLock { state in
        state.urgent -= 1
        state.ended = .now
      }
    }
    return try await Self.perform(job, on: queue, body)
  }

  /// The result of `body`, called when nothing else is rendered, in the order of calls; ended, and
  /// called again later, where a rendering is asked for meanwhile. It is to use one worker. Throws
  /// `CancellationError` where the task was cancelled.
  func runIdle<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let ticket = state.withLock { state in
      state.last += 1
      state.tickets.append(state.last)
      return state.last
    }
    defer { state.withLock { $0.tickets.removeAll { $0 == ticket } } }
    while true {
      let job = Cancellation()
      while !state.withLock({ $0.begin(job, ticket) }) { try await Task.sleep(for: Self.interval) }
      defer { state.withLock { $0.idle = nil } }
      do { return try await Self.perform(job, on: idleQueue, body) } catch is CancellationError {
        try Task.checkCancellation()
      }
    }
  }

  private static func perform<Result: Sendable>(
    _ job: Cancellation, on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
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
