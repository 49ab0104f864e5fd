/// One line of a batch's report: what programs read from `rawdev batch` while it works and afterwards.
/// JSON, one object a line, told apart by its key `event`.
public enum BatchEvent: Sendable, Hashable {
  /// The first line.
  case start(BatchStart)
  /// What became of one source.
  case item(BatchItem)
  /// How far the work is.
  case progress(BatchProgress)
  /// The last line; a report without one was cut off.
  case end(BatchEnd)
}

extension BatchEvent: Codable {
  private enum Key: String, CodingKey { case event }
  private enum Kind: String, Codable { case start, item, progress, end }

  /// Reads one line.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .event) {
    case .start: self = .start(try BatchStart(from: decoder))
    case .item: self = .item(try BatchItem(from: decoder))
    case .progress: self = .progress(try BatchProgress(from: decoder))
    case .end: self = .end(try BatchEnd(from: decoder))
    }
  }

  /// Writes one line.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: Key.self)
    switch self {
    case .start(let value):
      try keys.encode(Kind.start, forKey: .event)
      try value.encode(to: encoder)
    case .item(let value):
      try keys.encode(Kind.item, forKey: .event)
      try value.encode(to: encoder)
    case .progress(let value):
      try keys.encode(Kind.progress, forKey: .event)
      try value.encode(to: encoder)
    case .end(let value):
      try keys.encode(Kind.end, forKey: .event)
      try value.encode(to: encoder)
    }
  }
}

/// How a batch began.
public struct BatchStart: Sendable, Hashable, Codable {
  /// Version of these lines; 1.
  public var schema = 1
  /// Version of rawdev.
  public var version: String
  /// When, ISO 8601 in UTC.
  public var time: String
  /// Name of the machine.
  public var node: String
  /// The part of the whole that this run does, `k/n` with k from 0; nil for all.
  public var shard: String?
  /// Sources to do.
  public var total: Int
  /// Files developed at a time.
  public var jobs: Int
  /// Bytes that all work together may take.
  public var memoryBytes: Int
  /// What this run is a part or a repetition of: the same for all shards of one batch; nil where
  /// nobody named it.
  public var batch: String?
  /// The runs that a merged report stands for; nil in the report of one run.
  public var runs: [BatchRun]?

  /// A start with all its facts.
  public init(
    version: String, time: String, node: String, shard: String? = nil, total: Int, jobs: Int,
    memoryBytes: Int, batch: String? = nil, runs: [BatchRun]? = nil
  ) {
    (self.version, self.time, self.node, self.shard) = (version, time, node, shard)
    (self.total, self.jobs, self.memoryBytes) = (total, jobs, memoryBytes)
    (self.batch, self.runs) = (batch, runs)
  }
}

/// How far a batch is.
public struct BatchProgress: Sendable, Hashable, Codable {
  /// Sources that are finished in any way.
  public var finished: Int
  /// Sources to do.
  public var total: Int
  /// Those of the finished ones that failed.
  public var failed: Int
  /// Those of the finished ones that were up to date.
  public var skipped: Int
  /// Seconds since the start.
  public var seconds: Double
  /// Developed megapixels a second since the start; 0 before the first.
  public var megapixelsPerSecond: Double
  /// Seconds that the rest will take; nil before that can be told.
  public var secondsLeft: Double?

  /// A state with all its facts.
  public init(
    finished: Int, total: Int, failed: Int, skipped: Int, seconds: Double,
    megapixelsPerSecond: Double, secondsLeft: Double?
  ) {
    (self.finished, self.total, self.failed, self.skipped) = (finished, total, failed, skipped)
    (self.seconds, self.megapixelsPerSecond) = (seconds, megapixelsPerSecond)
    self.secondsLeft = secondsLeft
  }
}

/// How a batch ended.
public struct BatchEnd: Sendable, Hashable, Codable {
  /// When, ISO 8601 in UTC.
  public var time: String
  /// Sources developed.
  public var done: Int
  /// Sources that were up to date.
  public var skipped: Int
  /// Sources that could not be developed.
  public var failed: Int
  /// Sources left for the next run.
  public var interrupted: Int
  /// Worker processes that died at their work and were replaced.
  public var crashes: Int
  /// Worker processes that were stopped because a file took too long.
  public var timeouts: Int
  /// Seconds by the clock.
  public var seconds: Double
  /// What the shell was told: 0, 3, 4, 73 or 75.
  public var exitCode: Int

  /// An end with all its facts.
  public init(
    time: String, done: Int, skipped: Int, failed: Int, interrupted: Int, crashes: Int,
    timeouts: Int, seconds: Double, exitCode: Int
  ) {
    (self.time, self.done, self.skipped) = (time, done, skipped)
    (self.failed, self.interrupted) = (failed, interrupted)
    (self.crashes, self.timeouts) = (crashes, timeouts)
    (self.seconds, self.exitCode) = (seconds, exitCode)
  }
}
