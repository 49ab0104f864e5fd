import Develop
import Foundation
public import SystemPackage

/// The two reports in the output folder of a batch: JSON lines, appended as events happen, and a
/// page, written at the end.
public final class ReportFiles {
  /// Path of the JSON lines.
  public let lines: FilePath
  /// Path of the page.
  public let page: FilePath
  private let descriptor: Int32
  private let shard: Shard?
  private let folder: FilePath
  private let workingFolder: FilePath

  /// Opens reports named `rawdev-report` and the shard in `folder`, which is created. Appends to
  /// the report of a run that was killed or interrupted, with `continues` to that of any run; else
  /// replaces it. Throws ``BatchError/Code/cannotWrite``.
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

  /// Whether the last line is the end of a run that was not interrupted; true for an empty file.
  private static func isFinished(_ descriptor: Int32) -> Bool {
    let size = lseek(descriptor, 0, SEEK_END)
    var tail = [UInt8](repeating: 0, count: min(Int(size), 4096))
    guard pread(descriptor, &tail, tail.count, size - off_t(tail.count)) == tail.count,
      tail.last == 10, let line = tail.split(separator: 10).last,
      case .end(let end)? = try? BatchEvent(line: Data(line))
    else { return size == 0 }
    return end.outcome != .interrupted
  }

  /// Appends an event; progress is dropped. Throws ``BatchError/Code/cannotWrite``.
  public func add(_ event: BatchEvent) throws(BatchError) {
    if case .progress = event { return }
    guard let line = try? event.line(), LineWriter.write(line.dropLast(), to: descriptor) else {
      throw BatchError(
        .cannotWrite, "cannot write the report: \(BatchError.reason())", path: lines)
    }
  }

  /// Writes the page from the lines, atomically, and returns their totals. Reads all lines twice.
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
