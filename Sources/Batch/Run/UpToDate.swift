import Develop
import ImageCore
import SystemPackage

/// Whether the recorded outputs of a source are still there.
enum UpToDate {
  /// The state of recorded outputs.
  enum Finding: Sendable, Hashable {
    /// Every output is as it was written.
    case intact
    /// This output does not exist.
    case missing(FilePath)
    /// This output was modified since.
    case changed(FilePath)
  }

  /// Bytes of the longest output that is read to tell whether it changed; a longer one did where
  /// its time did. The thread that reads it looks after the workers, too.
  private static let longestRead = Int64(DecodeLimits.standard.maxFileBytes)

  /// Renames the staged files of `record` that a killed run did not rename.
  static func complete(_ record: JournalRecord, in output: FilePath) throws(BatchError) {
    for file in record.outputs where isWaiting(file, in: output) {
      let path = FilePath(text: file.path)
      // Both are in one folder. Journals may come along with the folders that they name.
      try Folders.requireNoWayOut(of: output, to: path)
      try Folders.move(output.pushing(FilePath(text: file.staged)), to: output.pushing(path))
    }
  }

  /// Whether the file still has its staged name, and its final name refers to nothing newer.
  private static func isWaiting(_ file: JournalRecord.Output, in output: FilePath) -> Bool {
    guard let staged = FileStatus(output.pushing(FilePath(text: file.staged))),
      staged.bytes == file.item.bytes, staged.changed == file.changed
    else { return false }
    let there = FileStatus(output.pushing(FilePath(text: file.path)))
    return there.map { $0.changed <= staged.changed } ?? true
  }

  /// The state of the outputs of `record` in the folder `output`; staged files that can still be
  /// renamed count as if they were.
  static func outputs(of record: JournalRecord, in output: FilePath) -> Finding {
    for file in record.outputs where !isWaiting(file, in: output) {
      let path = output.pushing(FilePath(text: file.path))
      guard let status = FileStatus(path) else { return .missing(path) }
      guard status.bytes == file.item.bytes else { return .changed(path) }
      // Copied or restored with another time, it is still what was written.
      guard
        status.changed == file.changed
          || (try? Digest.of(file: path, longest: longestRead)) == file.item.xxh128
      else { return .changed(path) }
    }
    return .intact
  }
}
