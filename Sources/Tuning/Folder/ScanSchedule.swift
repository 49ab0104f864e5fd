/// When a folder is listed again: at once where files appeared or vanished in it, and as long as
/// its files change, such as one that is being copied; otherwise every 5 s. A folder that takes
/// long is listed less often, so that it takes at most a fiftieth of the time, and a tenth while
/// it changes.
struct ScanSchedule {
  /// When it may be listed again, and when it must.
  private var earliest = ContinuousClock.now
  private var latest = ContinuousClock.now + usual

  private static let usual = Duration.seconds(5)
  /// Seconds between looks, at which a folder that changes is listed.
  private static let quick = Duration.seconds(1)

  /// Whether it is to be listed now; `isChanged`: whether files appeared or vanished.
  func isDue(_ isChanged: Bool, at now: ContinuousClock.Instant = .now) -> Bool {
    now >= (isChanged ? earliest : latest)
  }

  /// It was listed from `start` on, and `change` was found.
  mutating func scanned(
    from start: ContinuousClock.Instant, to now: ContinuousClock.Instant = .now,
    found change: TuningFolder.Change
  ) {
    let time = now - start
    earliest = now + time * 10
    latest = change == .nothing ? now + max(Self.usual, time * 50) : max(now + Self.quick, earliest)
  }
}
