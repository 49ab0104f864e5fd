import Foundation
public import SystemPackage

/// The two reports that a batch leaves in its output folder: lines for programs, appended as things
/// happen, and a page for people, written at the end.
public final class ReportFiles {
  /// The lines.
  public let lines: FilePath
  /// The page.
  public let page: FilePath
  private let descriptor: Int32
  private let shard: Shard?
  private let folder: FilePath
  private let workingFolder: FilePath

  /// Reports `rawdev-report` in `folder`, with the shard in their names. Lines of a run that was cut off, and
  /// with `continues` of any run, are kept: the report is then of both.
  public init(
    in folder: FilePath, shard: Shard?, workingFolder: FilePath, continues: Bool = false
  ) throws(BatchError) {
    try Folders.create(folder)
    (self.shard, self.folder, self.workingFolder) = (shard, folder, workingFolder)
    let name = "rawdev-report" + (shard.map { "-\($0.index)-of-\($0.count)" } ?? "")
    (lines, page) = (folder.appending(name + ".jsonl"), folder.appending(name + ".html"))
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC
    let descriptor = lines.withPlatformString { open($0, flags, 0o666) }
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      throw BatchError(
        .cannotWrite, "cannot write the report: \(BatchError.reason())", path: lines)
    }
    if !continues, Self.isFinished(descriptor) { ftruncate(descriptor, 0) }
    TruncatedLine.terminate(descriptor)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the last line is that of an end.
  private static func isFinished(_ descriptor: Int32) -> Bool {
    let size = lseek(descriptor, 0, SEEK_END)
    var tail = [UInt8](repeating: 0, count: min(Int(size), 4096))
    guard pread(descriptor, &tail, tail.count, size - off_t(tail.count)) == tail.count,
      tail.last == 10, let line = tail.split(separator: 10).last,
      case .end(let end)? = try? BatchEvent(line: Data(line))
    else { return size == 0 }
    return end.exitCode != 75
  }

  /// Writes down an event. Progress is not kept.
  public func add(_ event: BatchEvent) throws(BatchError) {
    if case .progress = event { return }
    guard let line = try? event.line(), LineWriter.write(line.dropLast(), to: descriptor) else {
      throw BatchError(
        .cannotWrite, "cannot write the report: \(BatchError.reason())", path: lines)
    }
  }

  /// Writes the page about all that the lines say, whole or not at all, and sums it up.
  public func finish() throws(BatchError) -> ReportSummary {
    let readable = ReadablePath(lines)
    defer { withExtendedLifetime(readable) {} }
    do {
      let merge = try ReportMerge(ReportLog(paths: [readable.text]), isPart: shard != nil)
      var options = HTMLReport.Options(
        folder: folder.string, workingFolder: workingFolder.string)
      if let shard { options.title += ", shard \(shard)" }
      try WholeFile.write(to: page) { put in
        try HTMLReport.write(merge, options: options, to: put)
      }
      return try merge.summary()
    } catch let error as BatchError {
      throw error
    } catch {
      throw BatchError(.cannotWrite, "cannot write the report: \(error)", path: page)
    }
  }
}
