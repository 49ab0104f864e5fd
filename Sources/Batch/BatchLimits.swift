import ImageCore

/// The fixed limits of batches and services.
enum BatchLimits {
  static let journalBytes: Int64 = 4 << 30
  static let reportBytes: Int64 = 32 << 30
  static let lineBytes = 16 << 20
  static let messageBytes = 64 << 20
  static let unsentBytes = 64 << 20
  static let requests = 65_536
  static let digestBytes = 256 << 20
  static let thumbnailBytes = 1 << 20
  static let startupFailures = 3
  static let extensions = 16

  /// The table.
  static let rows = [
    FixedLimit(
      bytes: Int(journalBytes),
      "the journals of a folder together: at 2 KB a line a million sources fit twice"),
    FixedLimit(
      bytes: Int(reportBytes),
      "a report that a run continues, which is read in full: at 16 KB a line with its thumbnail "
        + "a million sources fit twice"),
    FixedLimit(
      bytes: lineBytes,
      "a line of a report or journal; longer ones count as bad, and are not held"),
    FixedLimit(bytes: messageBytes, "a line to or from a worker"),
    FixedLimit(bytes: unsentBytes, "replies of a service that wait for a client to read"),
    FixedLimit(requests, "unfinished requests that a service keeps"),
    FixedLimit(
      bytes: digestBytes,
      "a file that a recipe names whose digest is computed; of a longer one length and time count"),
    FixedLimit(bytes: thumbnailBytes, "the address of a thumbnail in a report"),
    FixedLimit(startupFailures, "workers in a row that cannot be started before a run ends"),
    FixedLimit(
      extensions,
      "checks that a task survives past its time limit while its worker still writes output"),
  ]
}
