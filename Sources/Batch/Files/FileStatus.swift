import Develop
import Foundation
package import SystemPackage

/// The metadata of a file, from `stat`.
package struct FileStatus: Sendable, Hashable {
  /// File, folder, socket …
  package var kind: FileType
  package var bytes: Int
  /// Modification time, nanoseconds since 1970.
  package var changed: Int
  /// What tells the file from all others.
  let identity: Identity

  /// Device and inode of a file, independent of the links that lead to it.
  struct Identity: Sendable, Hashable {
    let device: DeviceID
    let inode: Inode
  }

  /// The file at `path`, following links; nil where it does not exist.
  package init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    (kind, bytes) = (status.type, Int(status.size))
    changed = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    identity = Identity(device: status.deviceID, inode: status.inode)
  }

  /// All files of `source` as one: their bytes together, and a time that changes with any of
  /// theirs; nil where one is missing. Of another kind than regular where one is.
  init?(_ source: RawSource) {
    guard var all = FileStatus(source.path) else { return nil }
    for frame in source.frames where frame != source.path {
      guard let status = FileStatus(frame) else { return nil }
      if status.kind != .regular { all.kind = status.kind }
      all.bytes += status.bytes
      all.changed = all.changed &* 31 &+ status.changed
    }
    self = all
  }

  /// Number of the file in its file system.
  package var inode: UInt64 { UInt64(truncatingIfNeeded: identity.inode.rawValue) }

  /// Whether both are the same file, by any path or link.
  func isSameFile(as other: FileStatus) -> Bool {
    identity == other.identity
  }
}
