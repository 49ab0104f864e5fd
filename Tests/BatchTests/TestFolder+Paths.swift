import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Files of a test by their paths, whose names are bytes.
extension TestFolder {
  var root: FilePath { FilePath(path) }

  /// The path of `name`, which may have several parts.
  func at(_ name: String) -> FilePath { root.pushing(FilePath(name)) }

  /// Writes bytes; makes the folders on the way.
  @discardableResult static func write(_ bytes: [UInt8], to path: FilePath) throws -> FilePath {
    try Folders.create(path.removingLastComponent())
    let output = try Descriptor(path, .writeOnly, options: [.create, .truncate])
    try output.file.writeAll(bytes)
    return path
  }

  func read(_ name: String) -> String? { Self.read(at(name)) }

  static func read(_ path: FilePath) -> String? {
    // Files of /proc have no size.
    ReadablePath(path).withText { FileManager.default.contents(atPath: $0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  /// Sets the modification time.
  static func date(_ path: FilePath, nanoseconds: Int) {
    let time = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    let times = [time, time]
    let result = path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) }
    #expect(result == 0)
  }

  /// Everything below, with length, modification time and digest.
  func listing(_ name: String = "") throws -> [String] { try Self.listing(at(name)) }

  static func listing(_ folder: FilePath) throws -> [String] {
    try Folders.names(in: folder).flatMap { name -> [String] in
      let path = folder.appending(name)
      guard let status = FileStatus(path) else { return ["\(path.text) is missing"] }
      if status.kind == .directory {
        return ["\(path.text) \(status.changed)"] + (try listing(path))
      }
      let digest = try Digest.of(file: path)
      return ["\(path.text) \(status.bytes) \(status.changed) \(digest)"]
    }
  }

  /// Names of the files below, relative, sorted, including hidden ones, but without the journal.
  func names(_ name: String) throws -> [String] {
    let root = at(name)
    func walk(_ folder: FilePath) throws -> [String] {
      try Folders.names(in: folder).flatMap { name -> [String] in
        let path = folder.appending(name)
        if name == Journal.folder { return [] }
        if FileStatus(path)?.kind == .directory { return try walk(path) }
        return [path.relative(to: root)?.text ?? ""]
      }
    }
    return FileStatus(root) == nil ? [] : try walk(root).sorted()
  }
}
