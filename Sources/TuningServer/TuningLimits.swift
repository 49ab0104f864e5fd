import ImageCore

/// The fixed limits of the server of `rawdev tune`.
enum TuningLimits {
  static let connections = 128
  static let strangers = 32
  static let pages = 256
  static let queuedEvents = 1024
  static let bodyBytes = 1 << 20
  static let renderedSide = 16_384
  static let renderedPixels = 64 << 20
  static let entries = 1000
  static let jobs = 64
  static let snapshotName = 80
  static let snapshotBytes = 1 << 20

  /// The table.
  static let rows = [
    FixedLimit(
      connections, "connections at a time; a page has up to six, of which one is for events"),
    FixedLimit(strangers, "of these, connections that have not shown the token"),
    FixedLimit(pages, "pages that are remembered"),
    FixedLimit(queuedEvents, "events that a page may fall back before it has to connect again"),
    FixedLimit(bytes: bodyBytes, "the body of a request"),
    FixedLimit(renderedSide, "pixels of a side of a rendered picture"),
    FixedLimit(renderedPixels, "pixels of a rendered picture"),
    FixedLimit(entries, "pictures in one answer"),
    FixedLimit(jobs, "developments that are remembered"),
    FixedLimit(snapshotName, "characters of the name of a snapshot"),
    FixedLimit(bytes: snapshotBytes, "the snapshots of a picture"),
  ]
}
