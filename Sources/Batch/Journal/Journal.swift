import Foundation
import SystemPackage

/// What was done in an output folder, one JSON line for each event, appended and never rewritten: a batch
/// that is killed at any moment is taken up where it stood.
///
/// The order makes it so. Outputs are staged under names of their own and synced; then one line says so;
/// then they are renamed. A line without its renaming is completed by the next run from the staged files;
/// staged files without a line are thrown away. Nothing is done twice and no half file ever has its
/// final name. Each writer (a whole batch or a shard, on one machine) has a file of its own, so that
/// many machines may work in one folder; all are read.
final class Journal: Sendable {
  /// Folder of the journals in the output folder.
  static let folder: FilePath.Component = ".rawdev"

  private let descriptor: Int32
  /// Where lines go.
  let path: FilePath

  /// Opens the journal of `writer` in the output folder, creating both. Throws
  /// ``BatchError/Code/cannotWrite``.
  init(in output: FilePath, writer: String) throws(BatchError) {
    let folder = output.appending(Self.folder)
    try Folders.create(folder)
    path = folder.appending("journal-\(writer).jsonl")
    let descriptor = path.withPlatformString {
      open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    }
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      throw BatchError(
        .cannotWrite, "cannot write the journal: \(BatchError.reason())", path: path)
    }
    guard Self.isLocked(descriptor) else {
      throw BatchError(
        .cannotWrite,
        "another batch is at work here; wait for its end, or give each a shard of its own",
        path: output)
    }
    TruncatedLine.terminate(descriptor)
  }

  /// Takes the lock. A process that is just being started holds it for a moment together with its parent; a
  /// file system without locks is used without one.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
      usleep(50_000)
    }
    return false
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends a line; `isSynced` waits for the disk.
  func append(_ line: JournalLine, isSynced: Bool) throws(BatchError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(line), LineWriter.write(data, to: descriptor),
      !isSynced || fdatasync(descriptor) == 0
    else {
      throw BatchError(
        .cannotWrite, "cannot write the journal: \(BatchError.reason())", path: path,
        isForAll: true)
    }
  }
}

/// All that the journals in an output folder say.
struct JournalHistory: Sendable {
  /// The last record of each source, by its path.
  private(set) var records: [String: JournalRecord] = [:]
  /// The last record of each source for every set of outputs that it was ever developed into.
  private(set) var alternatives: [String: [JournalRecord]] = [:]
  /// Staged files of work that began, relative to the output folder, by writer.
  private(set) var staged: [String: Set<String>] = [:]
  /// The same by source.
  private(set) var begun: [String: Set<String>] = [:]

  /// Nothing.
  init() {}

  /// Reads what the journals in `output` say of `sources`; without any, nothing. Lines that cannot be read
  /// are passed over: what they told is done again.
  /// Of `writer` all is read, since it cleans up after itself.
  init(in output: FilePath, of sources: Set<String>? = nil, writer own: String? = nil)
    throws(BatchError)
  {
    let folder = output.appending(Journal.folder)
    guard FileStatus(folder)?.kind == .folder else { return }
    let decoder = JSONDecoder()
    var times: [String: Int] = [:]
    var kinds: [String: [(paths: Set<String>, time: Int, record: JournalRecord)]] = [:]
    defer { alternatives = kinds.mapValues { $0.map(\.record) } }
    for name in try FolderNames.all(in: folder)
    where name.string.hasPrefix("journal-") && name.extension == "jsonl" {
      guard let data = ReadablePath.contents(of: folder.appending(name)) else {
        throw BatchError(
          .cannotRead, "cannot read the journal: \(BatchError.reason())",
          path: folder.appending(name))
      }
      let writer = String(name.string.dropFirst("journal-".count).dropLast(".jsonl".count))
      for line in data.split(separator: 10) {
        // Of a million lines a shard needs few.
        if let sources, writer != own, let source = JournalLine.source(of: line),
          !sources.contains(source)
        {
          continue
        }
        switch try? decoder.decode(JournalLine.self, from: line) {
        case .begin(let source, let files):
          staged[writer, default: []].formUnion(files)
          begun[source, default: []].formUnion(files)
        case .done(let record):
          // Of several writers the one whose files are the newest counts.
          let time = record.outputs.map(\.changed).max() ?? 0
          if time >= times[record.source] ?? .min {
            records[record.source] = record
            times[record.source] = time
          }
          var known = kinds[record.source] ?? []
          known.removeAll { $0.paths == record.paths && $0.time <= time }
          if !known.contains(where: { $0.paths == record.paths }) {
            kinds[record.source] = known + [(record.paths, time, record)]
          }
        case nil: break
        }
      }
    }
  }
}
