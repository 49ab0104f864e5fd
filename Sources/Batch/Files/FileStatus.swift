import Foundation
package import SystemPackage

/// The metadata of a file, from `stat`.
package struct FileStatus: Sendable, Hashable {
  /// File, folder, socket …
  package var kind: FileType
  package var bytes: Int
  /// Modification time, nanoseconds since 1970.
  package var changed: Int
  private let device: DeviceID
  private let inode: Inode

  /// The file at `path`, following links; nil where there is none.
  package init?(_ path: FilePath) {
    guard let status = try? Stat(path) else { return nil }
    (kind, bytes) = (status.type, Int(status.size))
    changed = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    (device, inode) = (status.deviceID, status.inode)
  }

  /// Whether both are the same file, whatever links led there.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
