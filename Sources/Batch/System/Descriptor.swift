internal import CPOSIX
import Foundation
package import SystemPackage

/// An open file, pipe end or socket, which is closed with this value.
struct Descriptor: ~Copyable, Sendable {
  let file: FileDescriptor

  /// Takes ownership of `file`.
  init(_ file: FileDescriptor) { self.file = file }

  /// Opens the file at `path`, which is created with `.create` in `options`. Programs that this
  /// process starts do not inherit it. Throws `Errno`.
  init(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly,
    options: FileDescriptor.OpenOptions = []
  ) throws {
    let permissions = FilePermissions(rawValue: 0o666)
    file = try FileDescriptor.open(
      path, mode, options: options.union(.closeOnExec),
      permissions: options.contains(.create) ? permissions : nil)
  }

  /// Opens the file at `path` in the same way unless it is a pipe, a device or, with `.noFollow`, a
  /// link: folders of strangers may hold such, which block or never end. Throws `Errno` or
  /// ``Refusal``.
  init(
    regular path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly,
    options: FileDescriptor.OpenOptions = []
  ) throws {
    let opened: Descriptor
    do {
      opened = try Descriptor(path, mode, options: options.union(.nonBlocking))
    } catch Errno.tooManySymbolicLinkLevels where options.contains(.noFollow) {
      throw Refusal.link
    }
    guard (try? Stat(opened.file))?.type == .regular else { throw Refusal.notRegular }
    self = opened
  }

  /// Why a file is not opened.
  enum Refusal: String, Error, CustomStringConvertible {
    case link = "it is a link; remove it or name another folder"
    case notRegular = "it is not a regular file; name one on a disk"

    var description: String { rawValue }
  }

  deinit { try? file.close() }
}

extension FileDescriptor {
  /// The length of the file; 0 where it is unknown.
  var byteCount: Int64 { (try? Stat(self)).map { Int64($0.size) } ?? 0 }

  /// Calls `body` with the bytes from the start of the file up to `end`, in chunks that fit the
  /// cache. Throws `Errno`.
  func forEachChunk(upTo end: Int64 = .max, _ body: (Span<UInt8>) -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    var position: Int64 = 0
    while position < end {
      let count = try read(into: &buffer, at: position)
      if count == 0 { break }
      body(buffer.span.extracting(0..<Int(min(Int64(count), end - position))))
      position += Int64(count)
    }
  }

  /// Reads once, at `offset` or at the current position, and returns the number of bytes that were
  /// put at the start of `bytes`; 0 at the end. Throws `Errno`.
  func read(into bytes: inout [UInt8], at offset: Int64? = nil) throws -> Int {
    try unsafe bytes.withUnsafeMutableBytes { buffer in
      if let offset { return try unsafe read(fromAbsoluteOffset: offset, into: buffer) }
      return try unsafe read(into: buffer)
    }
  }

  /// Writes once and returns the number of bytes that were taken from the start of `bytes`. Throws
  /// `Errno`.
  func write(_ bytes: Data) throws -> Int {
    try unsafe bytes.withUnsafeBytes { try unsafe write($0) }
  }

  /// Makes reads and writes throw ``Errno/wouldBlock`` instead of waiting.
  func setNonBlocking() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK) }

  /// Keeps programs that this process starts from inheriting it.
  func setCloseOnExec() { _ = fcntl(rawValue, F_SETFD, FD_CLOEXEC) }

  /// Waits until what was written is on the disk. Throws `Errno`.
  func synchronize() throws(Errno) { try Errno.check(cposix_synchronize(rawValue)) }

  /// Takes the lock of the file without waiting for it. Throws `Errno`.
  package func lock() throws(Errno) { try Errno.check(flock(rawValue, LOCK_EX | LOCK_NB)) }

  /// Releases the lock, also for processes that inherited the descriptor.
  package func unlock() { flock(rawValue, LOCK_UN) }
}

extension Errno {
  /// Throws the current `errno` where `result` is negative, the POSIX convention for failure.
  static func check(_ result: Int32) throws(Errno) {
    if result < 0 { throw Errno(rawValue: errno) }
  }
}
