/// One run of a batch, as its report shows it.
public struct BatchRun: Sendable, Hashable, Codable {
  /// Its first event, without `runs`.
  public var start: BatchStart
  /// Its last event; nil for a run that was killed.
  public var end: BatchEnd?
  /// Number of different sources with an item in its report.
  public var items: Int
  /// Wall-clock seconds; of a run that was killed, up to its last event.
  public var seconds: Double

  /// A run without items or end.
  public init(start: BatchStart) {
    self.start = start
    self.start.runs = nil
    (end, items, seconds) = (nil, 0, 0)
  }

  /// Its shard, `index` of `count`; 0 of 1 for a complete batch or an unreadable shard.
  public var shard: (index: Int, count: Int) {
    let parts = (start.shard ?? "").split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), index >= 0,
      index < count, count <= 1_000_000_000
    else { return (0, 1) }
    return (index, count)
  }

  /// Whether its report has an item for every source.
  public var isComplete: Bool { items >= start.total }

  /// Merges another copy of this run's report.
  mutating func join(_ other: BatchRun) {
    if end == nil { end = other.end }
    items = max(items, other.items)
    seconds = max(seconds, other.seconds)
  }
}
