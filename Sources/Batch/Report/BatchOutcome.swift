/// How a batch ended. The raw value is the number that reports hold as `exitCode` and with which
/// `rawdev batch` exits: these numbers are defined only here.
public enum BatchOutcome: Int, Sendable, Hashable, CaseIterable {
  /// Every source was developed or was up to date; also of a batch without sources.
  case complete = 0
  /// Some sources failed; no source was left.
  case someFailed = 3
  /// Every source failed.
  case allFailed = 4
  /// The output cannot be written at all, as the disk is full or read-only; sources may be left.
  case cannotWrite = 73
  /// Sources were left for another run, or shards of a merged report are missing.
  case interrupted = 75

  /// The outcome of `total` attempted sources, `failed` of them without success.
  init(failed: Int, of total: Int) {
    self = failed == 0 ? .complete : failed == total ? .allFailed : .someFailed
  }
}
