internal import CPOSIX
import Develop
import Foundation
import ImageCore
import Recipes
package import SystemPackage

/// Lists and creates folders, renames and removes files. Paths are bytes.
package enum Folders {
  /// The names in a folder, sorted by their bytes. Throws ``BatchError/Code/cannotRead``.
  static func names(in folder: FilePath) throws(BatchError) -> [FilePath.Component] {
    guard let stream = unsafe folder.withPlatformString({ unsafe opendir($0) }) else {
      throw BatchError(
        .cannotRead, "cannot read the folder: \(Errno(rawValue: errno))", path: folder)
    }
    defer { unsafe closedir(stream) }
    var found: [(name: FilePath.Component, bytes: [UInt8])] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FilePath.Component(platformString: $0)
        }
      }
      // "." and ".." are no regular names.
      if let name, name.kind == .regular { found.append((name, name.bytes)) }
    }
    return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.name)
  }

  /// Creates the folder and its missing parents. Throws ``BatchError/Code/cannotWrite``.
  package static func create(_ folder: FilePath) throws(BatchError) {
    if folder.isEmpty || FileStatus(folder)?.kind == .directory { return }
    let parent = folder.removingLastComponent()
    if parent != folder { try create(parent) }
    do {
      try unsafe folder.withPlatformString { try Errno.check(unsafe mkdir($0, 0o777)) }
    } catch {
      // Another thread or machine may have created it first.
      if error as? Errno == .fileExists, FileStatus(folder)?.kind == .directory { return }
      throw .cannotWrite(
        error, { "cannot create the folder: \($0); check the permissions or name another one" },
        path: folder)
    }
  }

  /// Throws where a folder between `folder` and the file at `path` below it is a link that leads
  /// out of `folder`. Output names come from recipes, sidecars and manifests; a link may come from
  /// whoever created the contents of the folder. `folder` itself may be a link, which its user
  /// named. With `isFollowed` the same holds for what is at `path`: a folder, or a file that is
  /// opened rather than replaced. Throws ``BatchError/Code/cannotWrite``.
  package static func requireNoWayOut(
    of folder: FilePath, to path: FilePath, isFollowed: Bool = false
  ) throws(BatchError) {
    var current = folder
    for component in (isFollowed ? path : path.removingLastComponent()).components {
      current.append(component)
      // A missing folder will be created as one.
      guard let status = try? Stat(current, followTargetSymlink: false) else { return }
      guard status.type == .symbolicLink else { continue }
      let top = DocumentFile.resolved(folder.isEmpty ? FilePath(".").bytes : folder.bytes)
      guard let top, let target = DocumentFile.resolved(current.bytes),
        FilePath(bytes: target).starts(with: FilePath(bytes: top))
      else {
        let name = folder.isEmpty ? "the current folder" : folder.shown
        throw BatchError(
          .cannotWrite,
          "\(current.shown) is a link that leads out of \(name), or to a missing file; replace it "
            + "by its target")
      }
    }
  }

  /// Renames a staged file to its final name. It replaces a file for which `isOld` is true, and one
  /// with the same `digest`, which another machine may have made meanwhile; with `overwrites` any
  /// file, and also a dangling link. Throws ``BatchError/Code/exists`` where any other file is
  /// there by now, and ``BatchError/Code/cannotWrite``.
  static func put(
    _ staged: FilePath, at path: FilePath, digest: String, overwrites: Bool = false,
    replacing isOld: (FileStatus) -> Bool
  ) throws(BatchError) {
    if overwrites { return try move(staged, to: path) }
    if try isReplaceable(path, digest: digest, isOld) { return try move(staged, to: path) }
    do {
      try unsafe staged.withPlatformString { from in
        try unsafe path.withPlatformString {
          try Errno.check(unsafe cposix_rename_new(from, $0))
        }
      }
    } catch {
      if error as? Errno == .fileExists { throw appeared(path) }
      throw .cannotWrite(error, { "cannot rename the finished file: \($0)" }, path: path)
    }
  }

  /// Whether there is a file at `path` that may be replaced; false where there is no file. Throws
  /// ``BatchError/Code/exists`` for any other file.
  static func isReplaceable(
    _ path: FilePath, digest: String, _ isOld: (FileStatus) -> Bool
  ) throws(BatchError) -> Bool {
    guard let status = FileStatus(path) else { return false }
    if isOld(status) { return true }
    guard (try? Digest.of(file: path)) == digest else {
      throw appeared(path)
    }
    return true
  }

  private static func appeared(_ path: FilePath) -> BatchError {
    BatchError(
      .exists,
      "\(path.shown) has appeared since, and was not written by this batch; move it away, or let "
        + "it be replaced", remedies: [.allowReplacement])
  }

  /// Renames a staged file to its final name. Throws ``BatchError/Code/cannotWrite``.
  static func move(_ staged: FilePath, to path: FilePath) throws(BatchError) {
    do {
      try unsafe staged.withPlatformString { from in
        try unsafe path.withPlatformString { try Errno.check(unsafe rename(from, $0)) }
      }
    } catch {
      throw .cannotWrite(error, { "cannot rename the finished file: \($0)" }, path: path)
    }
  }

  /// Removes a file, if it exists.
  static func remove(_ path: FilePath) {
    _ = unsafe path.withPlatformString { unsafe unlink($0) }
  }
}
