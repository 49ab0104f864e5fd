import Foundation

/// The memory that all jobs of a process may use together. A job reserves its expected use while it
/// works. A job that does not fit waits, in order, and fails only if it is cancelled. A job that is
/// expected to use more than the entire budget works alone.
///
/// The actual use of a job is limited by its `DecodeLimits`, and may exceed the expected use.
public final class MemoryBudget: Sendable {
  /// The budget of all jobs of the process.
  public static let shared = MemoryBudget(bytes: Machine.usableMemoryBytes)

  /// Interval, in seconds, at which waiting threads check for cancellation.
  private static let interval = 0.05

  private struct State {
    var bytes: Int
    var used = 0
    var jobs = 0
    var peak = 0
    /// Numbers of the waiting jobs, the first in front.
    var waiting: [Int] = []
    var next = 0
  }

  private final class Guarded: @unchecked Sendable {
    let condition = NSCondition()
    var state: State

    init(_ state: State) { self.state = state }
  }

  private let guarded: Guarded

  /// Whether the calling thread works within a job's reservation.
  @TaskLocal private static var isWithin = false

  /// A budget of its own, for tests.
  package init(bytes: Int) { guarded = Guarded(State(bytes: bytes)) }

  /// Bytes that all jobs together may use; by default ``Machine/usableMemoryBytes`` at the first
  /// use. Running jobs continue when it is reduced.
  public var bytes: Int {
    get { guarded.condition.withLock { guarded.state.bytes } }
    set {
      guarded.condition.withLock {
        guarded.state.bytes = newValue
        guarded.condition.broadcast()
      }
    }
  }

  /// Bytes reserved now.
  public var usedBytes: Int { guarded.condition.withLock { guarded.state.used } }

  /// Maximum of reserved bytes.
  package var peakBytes: Int { guarded.condition.withLock { guarded.state.peak } }

  /// Calls `body` as a job that is expected to use `bytes`, once there is room for it. Nested jobs
  /// use part of the reservation. Throws ``PixelError/cancelled`` if the work is cancelled while it
  /// waits.
  package func withRoom<R>(for bytes: Int, _ body: () throws -> R) throws -> R {
    guard !Self.isWithin else { return try body() }
    let bytes = max(bytes, 0)
    try take(bytes)
    defer { giveBack(bytes) }
    return try Self.$isWithin.withValue(true, operation: body)
  }

  private func take(_ bytes: Int) throws(PixelError) {
    guarded.condition.lock()
    defer { guarded.condition.unlock() }
    let number = guarded.state.next
    guarded.state.next += 1
    guarded.state.waiting.append(number)
    while guarded.state.waiting.first != number
      || (guarded.state.jobs > 0 && guarded.state.used + bytes > guarded.state.bytes)
    {
      if Cancellation.isCancelled {
        guarded.state.waiting.removeAll { $0 == number }
        guarded.condition.broadcast()
        throw .cancelled
      }
      _ = guarded.condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
    }
    guarded.state.waiting.removeFirst()
    guarded.state.used += bytes
    guarded.state.jobs += 1
    guarded.state.peak = max(guarded.state.peak, guarded.state.used)
    // The next may fit beside it.
    guarded.condition.broadcast()
  }

  private func giveBack(_ bytes: Int) {
    guarded.condition.withLock {
      guarded.state.used -= bytes
      guarded.state.jobs -= 1
      guarded.condition.broadcast()
    }
  }
}
