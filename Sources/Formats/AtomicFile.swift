internal import CPOSIX
import Foundation
import ImageCore
import Synchronization

/// Writes a file so that its path never refers to a partially written one: the bytes go to a
/// ``TemporaryFile`` in the same folder, are synced to disk and then renamed. Paths are bytes, as
/// names of files need not be UTF-8.
///
/// Links are followed, and a replaced file hands on its permissions and, where that is allowed, its
/// owner. A FIFO, a character device or `/dev/stdout` gets the bytes of the finished file;
/// write-protected files, folders, disks and sockets are refused.
package enum AtomicFile {
  private static let temporaries = Mutex(Set<[UInt8]>())

  /// The path under which the file at `path` is written, by the writer with this mark. It is the
  /// same for names that differ only after their first 220 bytes.
  package static func temporary(of path: [UInt8], mark: String = "") -> [UInt8] {
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    // Names have at most 255 bytes, and UTF-8 characters are not split.
    var end = min(path.count, name + 220)
    while end < path.count, end > name, path[end] & 0xC0 == 0x80 { end -= 1 }
    let ending = Array((mark + ".rawdev-tmp").utf8)
    return path[..<name] + Array(".".utf8) + path[name..<end] + ending
  }

  /// The folder of the file at `path`.
  static func folder(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? [UInt8(ascii: ".")]
  }

  /// Removes the temporary files of writes in progress and calls `exit`. No write begins or ends
  /// meanwhile.
  package static func removeTemporaries(andExit exit: () -> Never) -> Never {
    temporaries.withLock { paths in
      for path in paths { unsafe unlink(cString(path)) }
      exit()
    }
  }

  /// A new temporary file for what is to become the file at `path`.
  private static func newTemporary(for path: [UInt8]) throws -> TemporaryFile {
    // Creating and registering it is atomic with respect to `removeTemporaries`.
    try temporaries.withLock { paths in
      let file = try TemporaryFile.create(for: path)
      paths.insert(file.path)
      return file
    }
  }

  /// Calls `body` with the open temporary file and renames it to `path`. When `body` throws, or the
  /// process dies, `path` is unchanged.
  package static func write<R>(to path: String, _ body: (_ descriptor: Int32) throws -> R) throws
    -> R
  {
    try write(to: Array(path.utf8), body)
  }

  /// The same for a path that need not be UTF-8.
  package static func write<R>(
    to path: [UInt8], _ body: (_ descriptor: Int32) throws -> R
  ) throws -> R {
    try MeasuredStage.write.measure {
      switch try WriteTarget(path) {
      case .stream(let stream):
        try write(to: stream, String(decoding: path, as: UTF8.self), body)
      case .file(let path, let old):
        try write(to: path, replacing: old, putting: { .replacing }, body)
      }
    }
  }

  /// Writes a new file of `bytes`. Returns false, and writes nothing, where a file or link exists.
  package static func create(_ bytes: [UInt8], at path: String) throws -> Bool {
    try create(bytes, at: Array(path.utf8))
  }

  /// The same for a path that need not be UTF-8.
  package static func create(_ bytes: [UInt8], at path: [UInt8]) throws -> Bool {
    func isTaken() -> Bool {
      var status = stat()
      return unsafe lstat(cString(path), &status) == 0
    }
    let shown = String(decoding: path, as: UTF8.self)
    if isTaken() { return false }
    do {
      try write(
        to: path, replacing: nil,
        putting: { () throws(WriteError) in
          guard !isTaken() else { throw WriteError(.exists, "exists already", path: shown) }
          return .new
        }, { try append(bytes, to: $0, path: shown) })
      return true
    } catch let error as WriteError where error.code == .exists { return false }
  }

  /// Replaces the file at `path` by one of `bytes`, if `isExpected` is true of the existing file
  /// once the new one is complete. Otherwise returns false and changes nothing.
  package static func replace(
    _ bytes: [UInt8], at path: [UInt8], where isExpected: () -> Bool
  ) throws -> Bool {
    let shown = String(decoding: path, as: UTF8.self)
    guard case .file(let file, let old) = try WriteTarget(path) else {
      try write(to: path) { try append(bytes, to: $0, path: shown) }
      return true
    }
    do {
      try write(
        to: file, replacing: old,
        putting: { () throws(WriteError) in
          guard isExpected() else { throw WriteError(.exists, "has changed", path: shown) }
          return .replacing
        }, { try append(bytes, to: $0, path: shown) })
      return true
    } catch let error as WriteError where error.code == .exists { return false }
  }

  /// How a finished file gets its name.
  enum Placing {
    /// Replaces an existing file of that name.
    case replacing
    /// The name is free; if it is taken by then, `putting` is called again.
    case new
  }

  /// Writes the file at `path`, with the permissions of `old`. Once the file is complete, `putting`
  /// decides how it gets its name; where that throws, nothing is changed.
  static func write<R>(
    to path: [UInt8], replacing old: WriteTarget.OldFile?,
    putting: () throws(WriteError) -> Placing, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> R {
    let shown = String(decoding: path, as: UTF8.self)
    let temporary = try newTemporary(for: path)
    let descriptor = temporary.descriptor
    var isOpen = true
    defer { temporary.unlock() }
    do {
      let result = try body(descriptor)
      if let old {
        _ = fchown(descriptor, old.owner, old.group)
        _ = fchmod(descriptor, old.permissions)
      }
      guard fsync(descriptor) == 0 else { throw failure("cannot write to the disk", path: shown) }
      isOpen = false
      guard close(descriptor) == 0 else { throw failure("cannot write to the disk", path: shown) }
      while try put(temporary, at: path, putting()) == false {}
      syncFolder(of: path)
      return result
    } catch {
      if isOpen { close(descriptor) }
      discard(temporary)
      throw error
    }
  }

  /// Gives a finished file its name; false where a file that must not be replaced has it. From then
  /// on another process may use the temporary name, so it is not removed.
  private static func put(
    _ temporary: TemporaryFile, at path: [UInt8], _ placing: Placing
  ) throws(WriteError) -> Bool {
    let shown = String(decoding: path, as: UTF8.self)
    enum Outcome { case done, taken, displaced, failed(Int32) }
    let outcome: Outcome = temporaries.withLock { paths in
      guard temporary.isInPlace else { return .displaced }
      let (from, to) = (cString(temporary.path), cString(path))
      let done =
        switch placing {
        case .replacing: unsafe rename(from, to)
        case .new: unsafe cposix_rename_new(from, to)
        }
      guard done == 0 else {
        return placing == .new && errno == EEXIST ? .taken : .failed(errno)
      }
      paths.remove(temporary.path)
      return .done
    }
    switch outcome {
    case .done: return true
    case .taken: return false
    case .displaced:
      throw WriteError(
        .cannotWrite, "another process deleted the temporary file; write it again",
        path: shown)
    case .failed(let number):
      errno = number
      throw failure("cannot put the finished file in place", path: shown)
    }
  }

  /// Removes a file that is not to get its name.
  private static func discard(_ temporary: TemporaryFile) {
    temporaries.withLock { paths in
      paths.remove(temporary.path)
      if temporary.isInPlace { unsafe unlink(cString(temporary.path)) }
    }
  }

  /// The descriptor of an empty file at `path`, open for reading and writing. What was there is
  /// removed and not written to, as it may be a link.
  package static func newFile(at path: [UInt8]) throws(WriteError) -> Int32 {
    unsafe unlink(cString(path))
    let descriptor = TemporaryFile.openNew(path)
    guard descriptor >= 0 else {
      throw failure("cannot create the file", path: String(decoding: path, as: UTF8.self))
    }
    return descriptor
  }

  /// Waits until the bytes of an open file are on the disk.
  static func sync(_ descriptor: Int32, _ shown: String) throws(WriteError) {
    guard fsync(descriptor) == 0 else { throw failure("cannot write to the disk", path: shown) }
  }

  /// Waits until the name of the file at `path` is on the disk.
  static func syncFolder(of path: [UInt8]) {
    let descriptor = unsafe open(cString(folder(of: path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Calls `body` with a temporary file without a name, whose bytes then go to `stream`, which
  /// `shown` names.
  static func write<R>(
    to stream: WriteTarget.Stream, _ shown: String, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> R {
    let descriptor = try unnamedFile(for: shown)
    defer { close(descriptor) }
    let result = try body(descriptor)
    let target =
      switch stream {
      case .descriptor(let number): dup(number)
      case .path(let path): unsafe open(cString(path), O_WRONLY | O_CLOEXEC)
      }
    guard target >= 0 else { throw failure("cannot be opened", path: shown) }
    defer { close(target) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var position = 0
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
      guard count >= 0 else { throw failure("cannot read the temporary file", path: shown) }
      if count == 0 { return result }
      try unsafe append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target, path: shown)
      position += count
    }
  }

  /// The descriptor of a new file without a name, which is gone when it is closed; errors name
  /// `path`, for which it is.
  package static func unnamedFile(for path: String) throws(WriteError) -> Int32 {
    var name = cString(Array("\(NSTemporaryDirectory())/rawdev-XXXXXX".utf8))
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw failure("cannot create a temporary file", path: path) }
    unsafe unlink(name)
    return descriptor
  }

  static func cString(_ path: [UInt8]) -> [CChar] {
    path.map(CChar.init(truncatingIfNeeded:)) + [0]
  }

  /// Reserves space for the minimum `bytes` of a new file: ext4 then takes two thirds of the time
  /// to write them.
  package static func reserve(_ bytes: Int, for descriptor: Int32) {
    cposix_reserve(descriptor, Int64(bytes))
  }

  /// Bytes per call of ``startWriting(_:)``, below which it does not pay.
  package static let writtenTogether = 16 << 20

  /// Starts writing a large file to disk early, so that the final sync takes less time.
  package static func startWriting(_ descriptor: Int32) { cposix_start_writing(descriptor) }

  /// Replaces `path` by a file of these chunks and returns its length.
  package static func write(_ parts: [[UInt8]], to path: String) throws -> Int {
    try write(to: path) { descriptor in
      for part in parts { try append(part, to: descriptor, path: path) }
      return parts.reduce(0) { $0 + $1.count }
    }
  }

  /// Writes all of `bytes` at the descriptor's position.
  package static func append(_ bytes: [UInt8], to descriptor: Int32, path: String) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe append($0, to: descriptor, path: path) }
  }

  /// Writes all of `bytes` at the descriptor's position.
  package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String)
    throws
  {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let done = unsafe cposix_write(descriptor, rest.baseAddress, rest.count)
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
