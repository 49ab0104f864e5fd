import ImageCore
import Synchronization

/// A clock that a test sets, for `DecodeLimits/maxSeconds`.
package final class TestTime: Sendable {
  private let start = ContinuousClock.now
  private let state = Mutex((passed: Duration.zero, step: Duration.zero, readings: 0))

  /// At 0; each reading moves it by `step`.
  package init(step: Duration = .zero) { state.withLock { $0.step = step } }

  /// Sets the time that has passed since it was made.
  package func set(_ passed: Duration) { state.withLock { $0.passed = passed } }

  /// How often it was read.
  package var readings: Int { state.withLock { $0.readings } }

  /// Calls `body`; the clocks of files that it opens go by this one, from then on.
  package func asClock<R>(_ body: () throws -> R) rethrows -> R {
    let now: @Sendable () -> ContinuousClock.Instant = { [self] in
      state.withLock { state in
        defer { state.passed += state.step }
        state.readings += 1
        return start + state.passed
      }
    }
    return try DecodeClock.$now.withValue(now, operation: body)
  }
}
