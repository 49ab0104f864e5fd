import Develop
import Foundation
import SystemPackage

/// Creates folders, renames and removes files. Paths are bytes.
enum Folders {
  /// Creates the folder and its missing parents.
  static func create(_ folder: FilePath) throws(BatchError) {
    if folder.isEmpty || FileStatus(folder)?.kind == .folder { return }
    let above = folder.removingLastComponent()
    if above != folder { try create(above) }
    let result = folder.withPlatformString { mkdir($0, 0o777) }
    guard result == 0 || errno == EEXIST && FileStatus(folder)?.kind == .folder else {
      throw .cannotWrite(
        { "cannot create the folder: \($0); check the permissions or name another one" },
        path: folder)
    }
  }

  /// Renames a staged file to its final name.
  static func move(_ staged: FilePath, to path: FilePath) throws(BatchError) {
    let result = staged.withPlatformString { from in path.withPlatformString { rename(from, $0) } }
    guard result == 0 else {
      throw .cannotWrite({ "cannot put the finished file in place: \($0)" }, path: path)
    }
  }

  /// Removes a file; does nothing where there is none.
  static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }
}
