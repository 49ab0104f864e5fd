internal import CPOSIX
import Foundation
import ImageCore

/// The open file that is written before it appears under its name, complete.
///
/// It is `.NAME.rawdev-tmp`, created and locked for as long as it has this name: one of this user
/// without a lock was left by a killed process, and is removed. Where another process writes the
/// same file, or what has the name is not a file of this user, or the disk is one of several
/// machines, whose locks may not reach each other, a random mark makes the name a new one, and a
/// killed process leaves it. So no two writers use the same file, and an existing file is never
/// written to.
struct TemporaryFile {
  let path: [UInt8]
  let descriptor: Int32
  /// `descriptor` is closed before the file gets its final name; this duplicate of it keeps the
  /// lock until then, so that others do not take the file for one that was left.
  private let lock: Int32?
  private let identity: FileIdentity?

  private init(
    _ path: [UInt8], _ descriptor: Int32, lock: Int32? = nil, _ identity: FileIdentity?
  ) {
    (self.path, self.descriptor, self.lock, self.identity) = (path, descriptor, lock, identity)
  }

  /// An empty file that no other writer has, for what is to become the file at `path`.
  static func create(for path: [UInt8]) throws(WriteError) -> TemporaryFile {
    if unsafe cposix_is_local(AtomicFile.cString(AtomicFile.folder(of: path))) != 0,
      let file = locked(at: AtomicFile.temporary(of: path))
    {
      return file
    }
    for _ in 0..<100 {
      let mark = "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let temporary = AtomicFile.temporary(of: path, mark: mark)
      let descriptor = openNew(temporary)
      if descriptor >= 0 { return TemporaryFile(temporary, descriptor, nil) }
      if errno != EEXIST { break }
    }
    throw AtomicFile.failure(
      "cannot create the file", path: String(decoding: path, as: UTF8.self))
  }

  /// Whether the name still refers to this file; other programs may have removed it.
  var isInPlace: Bool { identity.map { $0 == Self.identity(at: path) } ?? true }

  /// The file or link that has this name.
  private static func identity(at path: [UInt8]) -> FileIdentity? {
    var status = stat()
    guard unsafe lstat(AtomicFile.cString(path), &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// Gives up the lock. Call once, when the file has its final name or is removed.
  func unlock() {
    if let lock { close(lock) }
  }

  /// Opens a new file at `path`; negative, with `errno`, on failure.
  static func openNew(_ path: [UInt8]) -> Int32 {
    unsafe open(
      AtomicFile.cString(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
  }

  /// A new file at `path`, locked; nil where there is another that stays, or no lock.
  private static func locked(at path: [UInt8]) -> TemporaryFile? {
    // Once more where one was left.
    for _ in 0..<2 {
      let descriptor = openNew(path)
      guard descriptor >= 0 else {
        guard errno == EEXIST, removeLeft(path) else { return nil }
        continue
      }
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      // Another process that locked it first takes it for one that was left and removes it: it is
      // not to be removed here.
      let isTaken = !isLocked && errno == EWOULDBLOCK
      let identity = FileIdentity(descriptor: descriptor)
      let isInPlace = identity != nil && identity == Self.identity(at: path)
      if isLocked, isInPlace {
        let lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if lock >= 0 { return TemporaryFile(path, descriptor, lock: lock, identity) }
      }
      if isInPlace, !isTaken { unsafe unlink(AtomicFile.cString(path)) }
      close(descriptor)
      return nil
    }
    return nil
  }

  /// Removes the file at `path` if a killed process of this user left it; false where it stays. It
  /// is not written to, as it may have another hard link: outputs that must not replace a file get
  /// their name by one.
  private static func removeLeft(_ path: [UInt8]) -> Bool {
    // A FIFO does not hold this up.
    let descriptor = unsafe open(
      AtomicFile.cString(path), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      // Locked, it keeps its name but where its writer was between writing and locking.
      let identity = FileIdentity(descriptor: descriptor), identity == Self.identity(at: path)
    else { return false }
    return unsafe unlink(AtomicFile.cString(path)) == 0
  }
}
