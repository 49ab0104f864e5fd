package import Formats
import Foundation
import Synchronization

/// Writes a file so that its path never refers to a partially written one: the bytes go to
/// `.NAME.rawdev-tmp` in the same folder, are synced to disk and then renamed. The temporary name
/// is fixed, so the next run overwrites what an interrupted one left behind.
package enum AtomicFile {
  private static let temporaries = Mutex(Set<String>())
  private static let conditions = Mutex([String: @Sendable () -> Bool]())

  /// While `body` runs, a write to `path` is renamed into place only if `isWanted` still returns
  /// true by then; else it throws `CancellationError`.
  package static func write<R>(
    to path: String, while isWanted: @escaping @Sendable () -> Bool, _ body: () throws -> R
  ) rethrows -> R {
    conditions.withLock { $0[path] = isWanted }
    defer { _ = conditions.withLock { $0.removeValue(forKey: path) } }
    return try body()
  }

  /// Removes the temporary files of writes in progress, for a process that is about to exit.
  package static func removeTemporaries() {
    temporaries.withLock { paths in
      for path in paths { unsafe unlink(path) }
    }
  }

  /// Calls `body` with the open temporary file and renames it to `path`. When `body` throws, or the
  /// process dies, `path` is unchanged.
  package static func write<R>(to path: String, _ body: (_ descriptor: Int32) throws -> R) throws
    -> R
  {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    let temporary = folder + "/." + url.lastPathComponent + ".rawdev-tmp"
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw WriteError(.cannotWrite, "is a folder; name a file inside it", path: path)
    }
    let descriptor = unsafe open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("cannot create the file", path: path) }
    _ = temporaries.withLock { $0.insert(temporary) }
    defer { _ = temporaries.withLock { $0.remove(temporary) } }
    do {
      let result = try body(descriptor)
      if let isWanted = conditions.withLock({ $0[path] }), !isWanted() { throw CancellationError() }
      guard fsync(descriptor) == 0 else { throw failure("cannot write to the disk", path: path) }
      guard close(descriptor) == 0 else { throw failure("cannot write to the disk", path: path) }
      guard unsafe rename(temporary, path) == 0 else {
        throw failure("cannot put the finished file in place", path: path)
      }
      let folderDescriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if folderDescriptor >= 0 {
        fsync(folderDescriptor)
        close(folderDescriptor)
      }
      return result
    } catch {
      close(descriptor)
      unsafe unlink(temporary)
      throw error
    }
  }

  /// Replaces `path` by a file of these pieces and returns its length.
  package static func write(_ parts: [[UInt8]], to path: String) throws -> Int {
    try write(to: path) { descriptor in
      for part in parts {
        try unsafe part.withUnsafeBytes { try unsafe append($0, to: descriptor, path: path) }
      }
      return parts.reduce(0) { $0 + $1.count }
    }
  }

  /// Writes all of `bytes` at the descriptor's position.
  package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String)
    throws
  {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let done = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
      if done < 0, errno == EINTR { continue }
      guard done > 0 else { throw failure("cannot write the file", path: path) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[done...])
    }
  }

  /// The error for the current `errno`.
  package static func failure(_ what: String, path: String) -> WriteError {
    let number = errno
    let reason = unsafe String(cString: strerror(number))
    switch number {
    case ENOSPC, EDQUOT:
      return WriteError(
        .diskFull, "\(what): the disk is full; free some space or choose another folder",
        path: path)
    case EACCES, EPERM, EROFS:
      return WriteError(
        .cannotWrite, "\(what): \(reason); check the permissions of the folder", path: path)
    case ENOENT, ENOTDIR:
      return WriteError(
        .cannotWrite, "\(what): the folder does not exist; create it first", path: path)
    default:
      return WriteError(.cannotWrite, "\(what): \(reason)", path: path)
    }
  }
}
