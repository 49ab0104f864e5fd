import Develop
import Foundation
import SystemPackage

/// The metadata of a file, from `stat`.
struct FileStatus: Sendable, Hashable {
  enum Kind: Sendable {
    case file
    case folder
    case socket
    case other
  }

  var kind: Kind
  var bytes: Int
  /// Modification time, nanoseconds since 1970.
  var changed: Int
  var device: UInt64
  var number: UInt64

  /// The file at `path`, following links; nil where there is none.
  init?(_ path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFSOCK: kind = .socket
    default: kind = .other
    }
    bytes = Int(status.st_size)
    changed = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Whether both are the same file, whatever links led there.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && number == other.number
  }
}
