import Develop
import Foundation
import SystemPackage
import Testing

@testable import Batch

/// A folder for one test, taken away with it. Names are bytes.
final class TestFolder: Sendable {
  let path: FilePath

  init() throws {
    // The same whatever links lead there.
    let parent = FilePath(NSTemporaryDirectory())
    path = parent.appending("batch-" + UUID().uuidString)
    try Folders.create(path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// The path of `name`, which may have several parts.
  func file(_ name: String) -> FilePath { path.pushing(FilePath(name)) }

  /// Writes `text`; makes the folders on the way.
  @discardableResult func write(_ text: String, to name: String) throws -> FilePath {
    try Self.write(Array(text.utf8), to: file(name))
  }

  /// Writes bytes; makes the folders on the way.
  @discardableResult static func write(_ bytes: [UInt8], to path: FilePath) throws -> FilePath {
    try Folders.create(path.removingLastComponent())
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
    return path
  }

  func read(_ name: String) -> String? { Self.read(file(name)) }

  static func read(_ path: FilePath) -> String? {
    ReadablePath.contents(of: path)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: file(name).string)
  }

  /// Sets the time of change.
  static func date(_ path: FilePath, nanoseconds: Int) {
    let time = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    let times = [time, time]
    let result = path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) }
    #expect(result == 0)
  }

  /// Everything below, with length, time of change and content.
  func listing(_ name: String = "") throws -> [String] { try Self.listing(file(name)) }

  static func listing(_ folder: FilePath) throws -> [String] {
    try FolderNames.all(in: folder).flatMap { name -> [String] in
      let path = folder.appending(name)
      guard let status = FileStatus(path) else { return ["\(path.text) leads nowhere"] }
      if status.kind == .folder { return ["\(path.text) \(status.changed)"] + (try listing(path)) }
      let digest = try Digest.of(file: path)
      return ["\(path.text) \(status.bytes) \(status.changed) \(digest)"]
    }
  }

  /// Names of the files below, relative, sorted; hidden ones too, but not those of the journal.
  func names(_ name: String) throws -> [String] {
    let root = file(name)
    func walk(_ folder: FilePath) throws -> [String] {
      try FolderNames.all(in: folder).flatMap { name -> [String] in
        let path = folder.appending(name)
        if name == Journal.folder { return [] }
        if FileStatus(path)?.kind == .folder { return try walk(path) }
        return [path.relative(to: root)?.text ?? ""]
      }
    }
    return FileStatus(root) == nil ? [] : try walk(root).sorted()
  }
}
