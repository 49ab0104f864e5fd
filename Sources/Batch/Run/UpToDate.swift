import SystemPackage

/// Whether what a source was developed into before is what would be made of it now.
enum UpToDate {
  /// What was found.
  enum Finding: Sendable, Hashable {
    /// Every output is there as it was written.
    case intact
    /// This one is gone.
    case missing(FilePath)
    /// This one was changed by somebody else.
    case changed(FilePath)
  }

  /// Puts in place what a killed run staged for `record` and did not.
  static func complete(_ record: JournalRecord, in output: FilePath) throws(BatchError) {
    for file in record.outputs where isWaiting(file, in: output) {
      try Folders.move(
        output.pushing(FilePath(text: file.staged)), to: output.pushing(FilePath(text: file.path)))
    }
  }

  /// Whether the file is still where it was staged, and nothing newer has taken its place.
  private static func isWaiting(_ file: JournalRecord.Output, in output: FilePath) -> Bool {
    guard let staged = FileStatus(output.pushing(FilePath(text: file.staged))),
      staged.bytes == file.item.bytes, staged.changed == file.changed
    else { return false }
    let there = FileStatus(output.pushing(FilePath(text: file.path)))
    return there.map { $0.changed <= staged.changed } ?? true
  }

  /// The outputs of `record` in the folder `output`; those that can still be put in place count as if they
  /// were.
  static func outputs(of record: JournalRecord, in output: FilePath) -> Finding {
    for file in record.outputs where !isWaiting(file, in: output) {
      let path = output.pushing(FilePath(text: file.path))
      guard let status = FileStatus(path) else { return .missing(path) }
      // Copied or restored with another time, it is still what was written.
      guard status.bytes == file.item.bytes,
        status.changed == file.changed || (try? Digest.of(file: path)) == file.item.sha256
      else { return .changed(path) }
    }
    return .intact
  }
}
