/// What is known of a source that was developed: enough to tell, without opening it, whether its outputs
/// are still what a batch would make.
struct JournalRecord: Sendable, Hashable, Codable {
  /// One output as it was when it was put in place.
  struct Output: Sendable, Hashable, Codable {
    /// Path of the file relative to the output folder.
    var path: String
    /// The staged file that becomes it.
    var staged: String
    /// Nanoseconds since 1970.
    var changed: Int
    /// What was written.
    var item: BatchItem.Output
  }

  /// Path of the source.
  var source: String
  /// Its length.
  var bytes: Int
  /// Its time of change, nanoseconds since 1970.
  var changed: Int
  /// What it said of itself.
  var facts: SourceFacts
  /// See ``BatchKey``.
  var key: String
  var outputs: [Output]

  /// Paths of the outputs.
  var paths: Set<String> { Set(outputs.map(\.path)) }
}

/// One line of a journal.
enum JournalLine: Sendable, Codable {
  /// Work began that stages these files, paths relative to the output folder.
  case begin(source: String, staged: [String])
  /// The staged files are whole and on the disk; they are now put in place.
  case done(JournalRecord)

  /// The source that a line is about, without reading the rest of it; nil where that cannot be told.
  static func source(of line: some BidirectionalCollection<UInt8>) -> String? {
    // Keys are sorted: of a record the source is the last.
    let bytes = Array(line)
    let key = Array("\"source\":\"".utf8)
    var at = bytes.count - key.count
    while at >= 0 {
      if bytes[at] == 34, bytes[at..<(at + key.count)].elementsEqual(key) { break }
      at -= 1
    }
    guard at >= 0, let end = bytes[(at + key.count)...].firstIndex(of: 34) else { return nil }
    let text = bytes[(at + key.count)..<end]
    return text.contains(92) ? nil : String(decoding: text, as: UTF8.self)
  }
}
