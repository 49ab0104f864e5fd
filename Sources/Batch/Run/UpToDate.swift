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

  /// The outputs of `record` in the folder `output`. What a killed run staged but did not put in place is
  /// put there where `completes`.
  static func outputs(
    of record: JournalRecord, in output: FilePath, completes: Bool
  ) throws(BatchError) -> Finding {
    for file in record.outputs {
      let path = output.pushing(FilePath(text: file.path))
      let staged = output.pushing(FilePath(text: file.staged))
      if let waiting = FileStatus(staged), waiting.bytes == file.item.bytes,
        waiting.changed == file.changed
      {
        guard completes else { continue }
        try Folders.move(staged, to: path)
      }
      guard let status = FileStatus(path) else { return .missing(path) }
      // Copied or restored with another time, it is still what was written.
      guard status.bytes == file.item.bytes,
        status.changed == file.changed || (try? Digest.of(file: path)) == file.item.sha256
      else { return .changed(path) }
    }
    return .intact
  }
}
