import Develop
public import Foundation
public import SystemPackage

/// Small files that are written completely or not at all. Paths are bytes.
public enum WholeFile {
  /// Creates a file. Throws ``BatchError/Code/exists`` where there is one,
  /// ``BatchError/Code/cannotWrite``.
  public static func create(_ path: FilePath, _ data: Data) throws(BatchError) {
    let descriptor = path.withPlatformString {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else {
      throw errno == EEXIST
        ? BatchError(.exists, "is there already; it is left alone", path: path)
        : BatchError(.cannotWrite, "cannot write the file: \(BatchError.reason())", path: path)
    }
    defer { close(descriptor) }
    guard LineWriter.writeAll(Array(data), to: descriptor) else {
      let error = BatchError(
        .cannotWrite, "cannot write the file: \(BatchError.reason())", path: path)
      Folders.remove(path)
      throw error
    }
  }

  /// Replaces the file at `path` with what `body` passes to `put`; it is unchanged where anything
  /// throws. Throws ``BatchError/Code/cannotWrite``.
  public static func write(
    to path: FilePath, _ body: (_ put: (Data) throws -> Void) throws -> Void
  ) throws {
    let unfinished = path.removingLastComponent()
      .appending("." + (path.lastComponent?.string ?? "") + ".rawdev-tmp")
    let descriptor = unfinished.withPlatformString {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    func failure() -> BatchError {
      BatchError(.cannotWrite, "cannot write the file: \(BatchError.reason())", path: path)
    }
    guard descriptor >= 0 else { throw failure() }
    var isOpen = true
    do {
      try body { data in
        guard LineWriter.writeAll(Array(data), to: descriptor) else { throw failure() }
      }
      isOpen = false
      guard close(descriptor) == 0 else { throw failure() }
      try Folders.move(unfinished, to: path)
    } catch {
      if isOpen { close(descriptor) }
      Folders.remove(unfinished)
      throw error
    }
  }
}
