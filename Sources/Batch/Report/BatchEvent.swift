public import Foundation

/// One line of a batch's report, as `rawdev batch` prints it while it works and leaves it in the
/// output folder. In JSON one object a line; its key `event` names the case.
public enum BatchEvent: Sendable, Hashable {
  /// The first line of a run.
  case start(BatchStart)
  /// The result of one source.
  case item(BatchItem)
  /// How much is done; only while a batch runs, not in stored reports.
  case progress(BatchProgress)
  /// The last line of a run; a run without one was killed.
  case end(BatchEnd)
}

extension BatchEvent: Codable {
  private enum Key: String, CodingKey { case event }
  private enum Kind: String, Codable { case start, item, progress, end }

  /// Decodes one line; unknown events are errors.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .event) {
    case .start: self = .start(try BatchStart(from: decoder))
    case .item: self = .item(try BatchItem(from: decoder))
    case .progress: self = .progress(try BatchProgress(from: decoder))
    case .end: self = .end(try BatchEnd(from: decoder))
    }
  }

  /// Encodes one line.
  public func encode(to encoder: any Encoder) throws {
    let (kind, value): (Kind, any Encodable) =
      switch self {
      case .start(let start): (.start, start)
      case .item(let item): (.item, item)
      case .progress(let progress): (.progress, progress)
      case .end(let end): (.end, end)
      }
    var keys = encoder.container(keyedBy: Key.self)
    try keys.encode(kind, forKey: .event)
    try value.encode(to: encoder)
  }

  /// Reads one line of a report. Keys that this version does not know are ignored.
  public init(line: Data) throws { self = try JSONLine.decode(BatchEvent.self, line) }

  /// One line of a report with its line feed. The same event is always the same line.
  public func line() throws -> Data { try JSONLine.encode(self) }
}

/// The settings of a run, at its start.
public struct BatchStart: Sendable, Hashable, Codable {
  /// Version of the report format; 1.
  public var schema = 1
  /// Release of rawdev; in merged reports all of them, separated by commas.
  public var version: String
  /// Time of the start, ISO 8601 in UTC.
  public var time: String
  /// Host name; in merged reports all of them, separated by commas.
  public var node: String
  /// The shard of this run, `k/n` with k from 0; nil for a complete batch.
  public var shard: String?
  /// Number of sources, up-to-date ones included.
  public var total: Int
  /// Sources developed at a time.
  public var jobs: Int
  /// Limit of memory for all processes together, bytes.
  public var memoryBytes: Int
  /// An identifier shared by all shards and repetitions of one batch; nil where none was given.
  public var batch: String?
  /// The runs that a merged report was made from; nil in the report of one run.
  public var runs: [BatchRun]?
}

/// How much of a batch is done.
public struct BatchProgress: Sendable, Hashable, Codable {
  /// Sources that were developed, skipped or failed.
  public var finished: Int
  /// Number of sources.
  public var total: Int
  /// Sources that failed, of the finished ones.
  public var failed: Int
  /// Sources that were up to date, of the finished ones.
  public var skipped: Int
  /// Seconds since the start.
  public var seconds: Double
  /// Developed megapixels per second since the start; 0 before the first picture.
  public var megapixelsPerSecond: Double
  /// Estimated seconds until the end, at the mean rate so far; nil before the first picture.
  public var secondsLeft: Double?
}

/// The totals of a run, at its end.
public struct BatchEnd: Sendable, Hashable, Codable {
  /// Time of the end, ISO 8601 in UTC.
  public var time: String
  /// Sources developed.
  public var done: Int
  /// Sources that were up to date.
  public var skipped: Int
  /// Sources that could not be developed.
  public var failed: Int
  /// Sources left for the next run.
  public var interrupted: Int
  /// Worker processes that died while they developed a source.
  public var crashes: Int
  /// Worker processes that were killed because a source took too long.
  public var timeouts: Int
  /// Wall-clock seconds of the run.
  public var seconds: Double
  /// Number of the outcome, see ``BatchOutcome``; another number in a report of a later version.
  public var exitCode: Int

  /// How the batch ended; nil for a number that this version does not know.
  public var outcome: BatchOutcome? { BatchOutcome(rawValue: exitCode) }
}
