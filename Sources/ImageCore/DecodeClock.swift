/// The time spent reading one file since it was opened, against ``DecodeLimits/maxSeconds``. Loops
/// check it for each strip, tile, band or item.
package struct DecodeClock: Sendable {
  /// The clock of this task: the system's monotonic clock, except in tests.
  @TaskLocal package static var now: @Sendable () -> ContinuousClock.Instant = { .now }

  private let now: @Sendable () -> ContinuousClock.Instant
  private let end: ContinuousClock.Instant?

  /// Starts now.
  package init(_ limits: DecodeLimits) {
    now = Self.now
    // Longer times are no limit, and do not fit.
    end = limits.maxSeconds.flatMap { $0 < 1e9 ? Self.now() + .seconds(max($0, 0)) : nil }
  }

  /// Whether the time is over, or the work of the calling thread is cancelled.
  package var isOver: Bool { Cancellation.isCancelled || (end.map { now() > $0 } ?? false) }

  /// The remaining time; nil without a limit.
  package var left: Duration? { end.map { max($0 - now(), .zero) } }
}
