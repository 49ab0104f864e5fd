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
    let folder = output.appending(Self.folder)
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
        "another batch is at work here; wait for its end, or give each a shard of its own",
        path: output)
    }
    TruncatedLine.terminate(descriptor.file)
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

  // Processes that are just being started hold the descriptor until they are; closing it alone
  // would leave them the lock.
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
  /// the writer `own`, which cleans up after itself. Lines that cannot be read, or name files
  /// outside the folder, are ignored: their sources are developed again.
  init(in output: FilePath, of sources: Set<String>? = nil, writer own: String? = nil)
    throws(BatchError)
  {
    let folder = output.appending(Journal.folder)
    guard FileStatus(folder)?.kind == .directory else { return }
    var times: [String: Int] = [:]
    // By source and the paths of its outputs; `line` counts the records.
    var kinds: [String: [Set<String>: (line: Int, time: Int, record: JournalRecord)]] = [:]
    var count = 0
    defer {
      alternatives = kinds.mapValues { known in
        known.values.sorted { $0.line < $1.line }.map { $0.record }
      }
    }
    for name in try Folders.names(in: folder)
    where name.string.hasPrefix("journal-") && name.extension == "jsonl" {
      guard let data = ReadablePath.contents(of: folder.appending(name)) else {
        throw BatchError(
          .cannotRead, "cannot read the journal; check its permissions, and that it is a file",
          path: folder.appending(name))
      }
      let writer = String(name.string.dropFirst("journal-".count).dropLast(".jsonl".count))
      for line in data.split(separator: 10) {
        // A shard needs few of a million lines.
        if let sources, writer != own, let source = JournalLine.source(of: line),
          !sources.contains(source)
        {
          continue
        }
        switch try? JSONLine.decode(JournalLine.self, line) {
        case .begin(let source, let files):
          staged[writer, default: []].formUnion(files)
          begun[source, default: []].formUnion(files)
        case .done(let record) where record.outputs.allSatisfy(\.isBelowFolder):
          // Of several writers the one with the newest files counts.
          let time = record.outputs.map(\.changed).max() ?? 0
          if time >= times[record.source] ?? .min {
            records[record.source] = record
            times[record.source] = time
          }
          let paths = record.paths
          if time >= kinds[record.source]?[paths]?.time ?? .min {
            count += 1
            kinds[record.source, default: [:]][paths] = (line: count, time: time, record: record)
          }
        case .done, nil: break
        }
      }
    }
  }
}
