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
      // Both are in one folder. Journals may come from elsewhere, with the folders that they name.
      try Folders.requireNoWayOut(of: output, to: path)
      try Folders.put(
        output.pushing(FilePath(text: file.staged)), at: output.pushing(path),
        digest: file.item.xxh128
      ) { .init($0) == file.replaced }
    }
  }

  /// Whether the file still has its staged name, and its final path still has what it replaces.
  private static func isWaiting(_ file: JournalRecord.Output, in output: FilePath) -> Bool {
    guard let staged = FileStatus(output.pushing(FilePath(text: file.staged))),
      staged.bytes == file.item.bytes, staged.changed == file.changed
    else { return false }
    let there = FileStatus(output.pushing(FilePath(text: file.path)))
    return there.map { .init($0) == file.replaced } ?? true
  }

  /// The state of the outputs of `record` in the folder `output`; staged files that can still be
  /// renamed count as if they were.
  static func outputs(of record: JournalRecord, in output: FilePath) -> Finding {
    for file in record.outputs where !isWaiting(file, in: output) {
      let path = output.pushing(FilePath(text: file.path))
      guard let status = FileStatus(path) else { return .missing(path) }
      guard isUnchanged(file, at: path, status) else { return .changed(path) }
    }
    return .intact
  }

  /// Whether the file at `path` is as it was written: copied or restored with another time, too.
  static func isUnchanged(
    _ file: JournalRecord.Output, at path: FilePath, _ status: FileStatus
  ) -> Bool {
    status.bytes == file.item.bytes
      && (status.changed == file.changed
        || (try? Digest.of(file: path, longest: longestRead)) == file.item.xxh128)
  }
}
