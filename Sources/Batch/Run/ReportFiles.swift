import Develop
import Formats
import Foundation
public import SystemPackage

/// The two reports in the output folder of a batch: JSON lines, appended as events happen, and a
/// page, written at the end.
public final class ReportFiles {
  /// Path of the JSON lines.
  public let lines: FilePath
  /// Path of the page.
  public let page: FilePath

  private let descriptor: Descriptor
  private let shard: Shard?
  private let folder: FilePath
  private let workingFolder: FilePath

  /// Opens reports named `rawdev-report` and the shard in `folder`, which is created. Appends to
  /// the report of a run that was killed or interrupted, with `continues` to the report of any run;
  /// otherwise replaces it. Throws ``BatchError/Code/cannotWrite``.
  public init(
    in folder: FilePath, shard: Shard?, workingFolder: FilePath, continues: Bool = false
  ) throws(BatchError) {
    try Folders.create(folder)
    (self.shard, self.folder, self.workingFolder) = (shard, folder, workingFolder)
    let name = "rawdev-report" + (shard.map { "-\($0.index)-of-\($0.count)" } ?? "")
    (lines, page) = (folder.appending(name + ".jsonl"), folder.appending(name + ".html"))
    // The page is made at the end; detect a link that came with the folder now.
    if let status = try? Stat(page, followTargetSymlink: false), status.type != .regular {
      let refusal: Descriptor.Refusal = status.type == .symbolicLink ? .link : .notRegular
      throw BatchError(.cannotWrite, "cannot write the report: \(refusal)", path: page)
    }
    do {
      descriptor = try Descriptor(
        regular: lines, .readWrite, options: [.create, .append, .noFollow])
    } catch {
      throw BatchError(.cannotWrite, "cannot write the report: \(error)", path: lines)
    }
    if !continues, Self.isFinished(descriptor.file) { try? descriptor.file.resize(to: 0) }
    guard descriptor.file.byteCount <= BatchLimits.reportBytes else {
      throw BatchError(
        .cannotWrite,
        "cannot go on with the report: it has more than \(BatchLimits.reportBytes >> 30) GiB; "
          + "move it away",
        path: lines)
    }
    TruncatedLine.terminate(descriptor.file)
  }

  /// Whether the last line is the end of a run that was not interrupted; true for an empty file.
  private static func isFinished(_ file: FileDescriptor) -> Bool {
    guard let size = try? file.seek(offset: 0, from: .end) else { return false }
    var tail = [UInt8](repeating: 0, count: Int(min(size, 4096)))
    guard (try? file.read(into: &tail, at: size - Int64(tail.count))) == tail.count,
      tail.last == 10, let line = tail.split(separator: 10).last,
      case .end(let end)? = try? BatchEvent(line: Data(line))
    else { return size == 0 }
    return end.outcome != .interrupted
  }

  /// Appends an event; progress is dropped. Throws ``BatchError/Code/cannotWrite``.
  public func add(_ event: BatchEvent) throws(BatchError) {
    if case .progress = event { return }
    do { try descriptor.file.writeAll(event.line()) } catch {
      throw BatchError(.cannotWrite, "cannot write the report: \(error)", path: lines)
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
      try AtomicFile.write(to: page) { put in
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
