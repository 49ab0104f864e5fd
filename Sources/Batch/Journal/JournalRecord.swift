import Develop
import SystemPackage

/// A source that was developed: enough to tell, without opening it, whether its outputs are up to
/// date.
struct JournalRecord: Sendable, Hashable, Codable {
  /// One output, as it was when it was renamed.
  struct Output: Sendable, Hashable, Codable {
    /// Path of the file relative to the output folder.
    var path: String
    /// Path of its staged file, relative to the output folder.
    var staged: String
    /// Modification time, nanoseconds since 1970.
    var changed: Int
    /// Its entry in reports.
    var item: BatchItem.Output
    /// The file that it was to replace; nil for none.
    var replaced: Replaced?

    /// A file that was there before, by its length and time of modification.
    struct Replaced: Sendable, Hashable, Codable {
      var bytes: Int
      var changed: Int

      init(_ status: FileStatus) { (bytes, changed) = (status.bytes, status.changed) }
    }

    /// Whether the file is below the output folder and was staged next to its final name.
    var isBelowFolder: Bool {
      let (path, staged) = (FilePath(text: path), FilePath(text: staged))
      return OutputPlan.isBelowFolder(path) && OutputPlan.isStaged(staged)
        && path.removingLastComponent() == staged.removingLastComponent()
    }
  }

  /// Absolute path of the source.
  var source: String
  /// Length of the source, bytes.
  var bytes: Int
  /// Modification time of the source, nanoseconds since 1970.
  var changed: Int
  /// The metadata of the raw.
  var info: SourceInfo
  /// See ``OutputPlan/key(source:recipe:engine:)``.
  var key: String
  var outputs: [Output]

  private enum CodingKeys: String, CodingKey {
    case source, bytes, changed, key, outputs
    // The name in journals of earlier releases.
    case info = "facts"
  }

  /// Paths of the outputs.
  var paths: Set<String> { Set(outputs.map(\.path)) }
}

/// One line of a journal.
enum JournalLine: Sendable, Codable {
  /// Development of a source began, which stages these files: paths relative to the output folder.
  case begin(source: String, staged: [String])
  /// The staged files are complete and synced; they are renamed next.
  case done(JournalRecord)

  /// The source of a line, without decoding it; nil where decoding is needed.
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
