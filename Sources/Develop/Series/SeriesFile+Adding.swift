import Containers
import Formats
import Foundation
import ImageCore
package import RawFilter

extension SeriesFile {
  /// Adds `entries` whose frame has no entry yet to the file at `path`, which is created if needed.
  /// Several processes may do so at a time, on several machines where the file system has locks:
  /// each waits for the others, and entries of the first one stay. Throws for a file that is
  /// invalid or cannot be written.
  package static func add(_ entries: [SeriesEntry], to path: String) throws(DevelopError) {
    do { try locked(path) { try append(entries, to: path) } } catch {
      throw DevelopError(error, path: path)
    }
  }

  private static func append(_ entries: [SeriesEntry], to path: String) throws {
    var file = try read(path)
    let before = file.entries.count
    for entry in entries where entry.isSound && file.entry(of: entry.key) == nil {
      file.entries.append(entry)
    }
    guard file.entries.count > before else { return }
    guard file.entries.count <= maxEntries else {
      throw WriteError(
        .badSetting, "the series would have more than \(maxEntries) entries; begin another file",
        path: path)
    }
    _ = try AtomicFile.write([try file.bytes], to: path)
  }

  /// Throws where the file at `path` cannot be used, or is not there and cannot be made.
  package static func check(_ path: String) throws(DevelopError) {
    do {
      _ = try read(path)
      if FileIdentity(path: path) == nil { _ = try AtomicFile.create(SeriesFile().bytes, at: path) }
    } catch { throw DevelopError(error, path: path) }
  }

  private static let (attempts, pause) = (400, UInt32(25_000))

  /// Calls `body` while this process holds the lock of the file at `path`. The file itself is
  /// locked, so that no lock file is left; where another process has replaced it meanwhile, the new
  /// one is locked.
  private static func locked(_ path: String, _ body: () throws -> Void) throws {
    for _ in 0..<attempts {
      try check(path)
      let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        if errno == ENOENT { continue }
        throw AtomicFile.failure("cannot write the series file", path: path)
      }
      defer { close(descriptor) }
      // A file system without locks is used without one.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        usleep(pause)
        continue
      }
      guard FileIdentity(descriptor: descriptor) == FileIdentity(path: path) else { continue }
      return try body()
    }
    throw WriteError(
      .cannotWrite, "another process does not finish writing the series file; try again",
      path: path)
  }
}
