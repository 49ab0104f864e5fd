import Develop
import Foundation
import SystemPackage

/// The log of an output folder, one JSON line for each event, appended and never rewritten, from
/// which the next run continues a batch that was killed at any moment.
///
/// It is a write-ahead log. Outputs are staged under other names and synced; then a line is
/// appended and synced; then they are renamed. After a kill the next run completes the renaming of
/// a line, and removes staged files without a line. Nothing is done twice, and a final name never
/// refers to a partially written file. Each writer (a batch or a shard, on one machine) has a file
/// of its own, so that many machines may work in one folder; all files are read.
final class Journal: Sendable {
  /// Folder of the journals in the output folder.
  static let folder: FilePath.Component = ".rawdev"

  private let descriptor: Descriptor
  /// The file of this writer.
  let path: FilePath

  /// Opens and locks the journal of `writer` in the output folder, creating both. Throws
  /// ``BatchError/Code/cannotWrite``, also where another process has the lock.
  init(in output: FilePath, writer: String) throws(BatchError) {
    let folder = try Self.journalFolder(in: output)
    try Folders.create(folder)
    path = folder.appending("journal-\(writer).jsonl")
    do {
      descriptor = try Descriptor(
        regular: path, .readWrite, options: [.create, .append, .noFollow])
    } catch {
      throw BatchError(.cannotWrite, "cannot write the journal: \(error)", path: path)
    }
    guard Self.lock(descriptor.file) else {
      throw BatchError(
        .cannotWrite,
        "the folder is locked by another batch; wait until it ends, or give each its own shard",
        path: output)
    }
    TruncatedLine.terminate(descriptor.file)
  }

  /// The folder of the journals in `output`. Throws where it is a link that leads out of `output`:
  /// the folder may be a copy from someone else.
  fileprivate static func journalFolder(in output: FilePath) throws(BatchError) -> FilePath {
    let folder = FilePath(root: nil, [Self.folder])
    try Folders.requireNoWayOut(of: output, to: folder, isFollowed: true)
    return output.pushing(folder)
  }

  /// Takes the lock, and returns whether that was possible within a second: a process that is just
  /// being started holds it together with its parent. A file system without locks is used without
  /// one.
  private static func lock(_ file: FileDescriptor) -> Bool {
    for _ in 0..<20 {
      do { try file.lock() } catch Errno.wouldBlock {
        usleep(50_000)
        continue
      } catch {}
      return true
    }
    return false
  }

  // A child process inherits the descriptor until it calls exec; closing it here would leave the
  // lock with the child.
  deinit { descriptor.file.unlock() }

  /// Appends a line; with `isSynced`, waits until it is on the disk.
  func append(_ line: JournalLine, isSynced: Bool) throws(BatchError) {
    do {
      try descriptor.file.writeAll(JSONLine.encode(line))
      if isSynced { try descriptor.file.synchronize() }
    } catch {
      throw BatchError(
        .cannotWrite, "cannot write the journal: \(error)", path: path, isForAll: true)
    }
  }

  /// Calls `body` with each line of the journal at `path`, which is read in chunks; lines that are
  /// too long are left out. `total` counts the bytes of all journals. Throws
  /// ``BatchError/Code/cannotRead``; where `total` is too large, before anything is read.
  fileprivate static func read(
    _ path: FilePath, total: inout Int64, _ body: (Data) -> Void
  ) throws(BatchError) {
    let unreadable = BatchError(
      .cannotRead, "cannot read the journal; check its permissions, and that it is a file",
      path: path)
    let input: Descriptor
    do { input = try Descriptor(regular: path) } catch { throw unreadable }
    // What another machine appends from now on is read the next time.
    var left = input.file.byteCount
    guard left <= BatchLimits.journalBytes - total else {
      throw BatchError(
        .cannotRead,
        "the journals here have more than \(BatchLimits.journalBytes >> 30) GiB; "
          + "move this one away, and allow its outputs to be replaced",
        path: path)
    }
    total += left
    var lines = LineSplitter(maxLength: ReportLog.maxLineLength)
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while left > 0 {
      let count: Int
      do { count = try input.file.read(into: &chunk) } catch { throw unreadable }
      if count == 0 { break }
      lines.append(chunk[..<min(count, Int(left))])
      left -= Int64(count)
      while let line = lines.next() { if let bytes = line.bytes { body(bytes) } }
    }
    if let bytes = lines.last()?.bytes { body(bytes) }
  }
}

/// The contents of all journals in an output folder.
struct JournalHistory: Sendable {
  /// The last record of each source, by its path.
  private(set) var records: [String: JournalRecord] = [:]
  /// The last record of each source for every set of outputs that it was ever developed into.
  private(set) var alternatives: [String: [JournalRecord]] = [:]
  /// Staged files of work that began, relative to the output folder, by writer.
  private(set) var staged: [String: Set<String>] = [:]
  /// The same by source.
  private(set) var begun: [String: Set<String>] = [:]

  /// Reads the lines about `sources`, nil for all, in the journals of `output`, and all lines of
  /// the writer `own`, which removes its own leftovers. Lines that cannot be read, or name files
  /// outside the folder, are ignored: their sources are developed again.
  init(in output: FilePath, of sources: Set<String>? = nil, writer own: String? = nil)
    throws(BatchError)
  {
    let folder = try Journal.journalFolder(in: output)
    guard FileStatus(folder)?.kind == .directory else { return }
    var bytes: Int64 = 0
    var times: [String: (time: Int, writer: String)] = [:]
    // By source and the paths of its outputs; `line` counts the records.
    typealias Kind = (line: Int, time: Int, writer: String, record: JournalRecord)
    var kinds: [String: [Set<String>: Kind]] = [:]
    var count = 0
    defer {
      alternatives = kinds.mapValues { known in
        known.values.sorted { $0.line < $1.line }.map { $0.record }
      }
    }
    for name in try Folders.names(in: folder)
    where name.string.hasPrefix("journal-") && name.extension == "jsonl" {
      let writer = String(name.string.dropFirst("journal-".count).dropLast(".jsonl".count))
      try Journal.read(folder.appending(name), total: &bytes) { line in
        // A shard needs few of a million lines.
        if let sources, writer != own, let source = JournalLine.source(of: line),
          !sources.contains(source)
        {
          return
        }
        switch try? JSONLine.decode(JournalLine.self, line) {
        case .begin(let source, let files):
          staged[writer, default: []].formUnion(files)
          begun[source, default: []].formUnion(files)
        case .done(let record) where record.outputs.allSatisfy(\.isBelowFolder):
          // Of several writers the one with the newest files counts, of the lines of one the last:
          // its clock may have gone back.
          let time = record.outputs.map(\.changed).max() ?? 0
          let last = times[record.source]
          if last?.writer == writer || time >= last?.time ?? .min {
            records[record.source] = record
            times[record.source] = (time, writer)
          }
          let paths = record.paths
          let known = kinds[record.source]?[paths]
          if known?.writer == writer || time >= known?.time ?? .min {
            count += 1
            kinds[record.source, default: [:]][paths] = (count, time, writer, record)
          }
        case .done, nil: break
        }
      }
    }
  }
}
