import Batch
import Develop
import Formats
import Foundation
import SystemPackage

/// The file of a folder's edits: a line for what happens at once, appended, so that at the end of
/// the program, at whatever moment, all gestures up to that are there. A line that was cut off is
/// left out.
///
/// Not thread-safe.
final class EditJournal {
  /// How much is remembered.
  struct Limits: Sendable {
    var steps = 10_000
    var bytes = 64 << 20
  }

  let path: FilePath
  private let limits: Limits
  private let guardian: FileDescriptor
  private var file: FileDescriptor
  private var length: Int
  /// The limits in use: above the given ones while too many steps are in no sidecar yet.
  private var current: Limits

  /// Opens the journal in `state` of the folder `root`, both of which are made where they are
  /// missing, and gives `book` what it holds. Throws where it cannot be written, or another process
  /// has it.
  init(of root: FilePath, in state: FilePath, limits: Limits, into book: inout EditBook) throws {
    (self.limits, current) = (limits, limits)
    try FileManager.default.createDirectory(
      atPath: state.string, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let stem = state.appending(String(Digest.of(root.bytes).prefix(32)))
    path = FilePath(stem.string + ".edits")
    // The lock is on a file of its own, as the journal is replaced when it is shortened.
    guardian = try Self.open(FilePath(stem.string + ".lock"))
    do {
      try guardian.lock()
      let bytes = FileManager.default.contents(atPath: path.string) ?? Data()
      for line in bytes.split(separator: 10) {
        if let changes = try? JSONLine.decode([EditChange].self, Data(line)) { book.apply(changes) }
      }
      file = try Self.open(path)
      TruncatedLine.terminate(file)
      length = Int(try file.seek(offset: 0, from: .end))
    } catch {
      try? guardian.close()
      throw error
    }
    if isTooLong(book) { try shorten(&book) }
  }

  deinit {
    try? file.close()
    guardian.unlock()
    try? guardian.close()
  }

  private static func open(_ path: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(
      path, .readWrite, options: [.create, .append, .noFollow, .closeOnExec],
      permissions: .ownerReadWrite)
  }

  /// Appends `changes` as one line; a line that cannot be written completely is removed.
  func append(_ changes: [EditChange]) throws {
    let line = try JSONLine.encode(changes)
    do { try file.writeAll(line) } catch {
      _ = ftruncate(file.rawValue, off_t(length))
      throw error
    }
    length += line.count
  }

  /// Whether `book`, of which this has all, is to be shortened.
  func isTooLong(_ book: EditBook) -> Bool { book.count > current.steps || length > current.bytes }

  /// Makes `book` forget its oldest steps, at least a tenth of the limit, and rewrites the journal.
  func shorten(_ book: inout EditBook) throws {
    var left = limits.steps - limits.steps / 10
    var lines: [Data]
    repeat {
      book.forget(to: left)
      lines = try book.changes.map { try JSONLine.encode([$0]) }
      left = min(left, book.count) / 2
    } while lines.reduce(0, { $0 + $1.count }) > limits.bytes - limits.bytes / 10 && left > 0
    try AtomicFile.write(to: path.bytes) { descriptor in
      _ = fchmod(descriptor, 0o600)
      for line in lines {
        try AtomicFile.append(Array(line), to: descriptor, path: path.shown)
      }
    }
    let new = try Self.open(path)
    try? file.close()
    file = new
    length = lines.reduce(0) { $0 + $1.count }
    current.steps = max(limits.steps, book.count + limits.steps / 10)
    current.bytes = max(limits.bytes, length + limits.bytes / 10)
  }
}
