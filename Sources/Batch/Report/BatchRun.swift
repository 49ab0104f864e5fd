/// One run of a batch as a whole: how it began, how it ended, how much of it its report names.
public struct BatchRun: Sendable, Hashable, Codable {
  /// How it began; stands for one run, so it lists no `runs` itself.
  public var start: BatchStart
  /// How it ended; nil when its report was cut off.
  public var end: BatchEnd?
  /// Different sources that its report names.
  public var items: Int
  /// Seconds by the clock; of a run that was cut off, as far as its report goes.
  public var seconds: Double

  /// A run that began like this and of which nothing more is known.
  public init(start: BatchStart) {
    self.start = start
    self.start.runs = nil
    (end, items, seconds) = (nil, 0, 0)
  }

  /// The place of this run in its batch: shard `index` of `count`; a run without or with an
  /// unreadable shard is all of it, 0 of 1.
  public var shard: (index: Int, count: Int) {
    let parts = (start.shard ?? "").split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), index >= 0,
      index < count, count <= 1_000_000_000
    else { return (0, 1) }
    return (index, count)
  }

  /// Whether its report names what became of every source that it was to do.
  public var isComplete: Bool { items >= start.total }

  /// Adds what another copy of this run's report tells.
  mutating func join(_ other: BatchRun) {
    if end == nil { end = other.end }
    items = max(items, other.items)
    seconds = max(seconds, other.seconds)
  }
}
