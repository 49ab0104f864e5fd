internal import CPOSIX
import Foundation
import ImageCore

/// The existing target of a write to a path. Only regular files are replaced.
enum WriteTarget {
  /// A file at `path`, with links followed, that is created or replaces `old`.
  case file(path: [UInt8], old: OldFile?)
  /// An open descriptor, or a FIFO or character device at the path: bytes are written into it.
  case stream(Stream)

  /// Where the bytes of a stream go.
  enum Stream {
    case descriptor(Int32)
    case path([UInt8])
  }

  /// A file that is replaced.
  struct OldFile {
    let byteCount: Int
    let identity: FileIdentity
    let permissions: mode_t
    let owner: uid_t
    let group: gid_t

    fileprivate init(_ status: stat) {
      byteCount = Int(status.st_size)
      identity = FileIdentity(status)
      permissions = status.st_mode & 0o777
      (owner, group) = (status.st_uid, status.st_gid)
    }
  }

  /// What is at `path`; throws where nothing may be written there.
  init(_ path: [UInt8]) throws(WriteError) {
    let shown = String(decoding: path, as: UTF8.self)
    if let descriptor = Self.descriptor(shown) {
      self = .stream(.descriptor(descriptor))
      return
    }
    var link = stat()
    guard unsafe lstat(AtomicFile.cString(path), &link) == 0 else {
      self = .file(path: path, old: nil)
      return
    }
    var status = stat()
    guard unsafe stat(AtomicFile.cString(path), &status) == 0 else {
      throw WriteError(
        .cannotWrite, "is a link to a file that is not there; remove it or name that file",
        path: shown)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard status.st_mode & 0o222 != 0, unsafe access(AtomicFile.cString(path), W_OK) == 0 else {
        throw WriteError(
          .cannotWrite, "is write-protected; permit writing (chmod u+w) or choose another name",
          path: shown)
      }
      let isLink = link.st_mode & S_IFMT == S_IFLNK
      self = .file(path: isLink ? try Self.resolved(path) : path, old: OldFile(status))
    case S_IFIFO, S_IFCHR: self = .stream(.path(path))
    case S_IFDIR: throw WriteError(.cannotWrite, "is a folder; name a file inside it", path: shown)
    default:
      throw WriteError(
        .cannotWrite, "is a disk or a socket, which is not replaced; name a file", path: shown)
    }
  }

  /// The descriptor that a path names.
  private static func descriptor(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    case _ where path.hasPrefix("/dev/fd/"): Int32(path.dropFirst("/dev/fd/".count))
    default: nil
    }
  }

  private static func resolved(_ path: [UInt8]) throws(WriteError) -> [UInt8] {
    guard let found = unsafe realpath(AtomicFile.cString(path), nil) else {
      throw AtomicFile.failure(
        "cannot follow the link", path: String(decoding: path, as: UTF8.self))
    }
    defer { unsafe free(found) }
    return unsafe UnsafeBufferPointer(start: found, count: strlen(found)).map {
      UInt8(truncatingIfNeeded: $0)
    }
  }
}
