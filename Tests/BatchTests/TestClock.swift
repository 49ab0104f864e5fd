import Synchronization

/// A clock that stops until a test advances it.
final class TestClock: Sendable {
  private let state = Mutex((now: ContinuousClock.now, step: Duration.zero))

  /// The time; each reading moves it on by the step of ``run(step:)``.
  var now: ContinuousClock.Instant {
    state.withLock { state in
      state.now += state.step
      return state.now
    }
  }

  /// Moves the time on.
  func advance(seconds: Double) { state.withLock { $0.now += .seconds(seconds) } }

  /// From now on every reading advances the time by `step`, so that all waiting ends.
  func run(step: Duration = .seconds(1)) { state.withLock { $0.step = step } }
}
