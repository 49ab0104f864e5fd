import Develop
import Foundation
package import SystemPackage

/// A path as text that opens the file, for functions that take text: for names that are not UTF-8 a
/// path in `/proc/self/fd`, whose descriptor is open as long as this value lives.
package final class ReadablePath {
  /// The text. Valid as long as this value lives, which ends with its last use: see
  /// ``withText(_:)``.
  let text: String
  private let descriptor: Descriptor?

  package init(_ path: FilePath) {
    if let text = String(validating: path) {
      self.text = text
      descriptor = nil
    } else if let open = try? Descriptor(path, options: .nonBlocking) {
      text = "/proc/self/fd/\(open.file.rawValue)"
      descriptor = consume open
    } else {
      text = path.shown
      descriptor = nil
    }
  }

  /// Calls `body` with the text, which is valid until it returns.
  package func withText<R, Failure: Error>(
    _ body: (String) throws(Failure) -> R
  ) throws(Failure) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(text)
  }

  /// The bytes of the regular file at `path`; nil where it cannot be read.
  static func contents(of path: FilePath) -> Data? {
    guard let input = try? Descriptor(regular: path) else { return nil }
    var data = Data()
    do {
      try input.file.forEachChunk(upTo: input.file.byteCount) { chunk in
        unsafe chunk.withUnsafeBufferPointer { unsafe data.append($0) }
      }
    } catch { return nil }
    return data
  }
}

/// The paths of staged files as text, valid as long as this value lives.
struct StagedFolders {
  /// The path of each output, by name.
  let paths: [String: String]
  private let folders: [ReadablePath]

  init(_ staged: [String: String]) {
    var (paths, folders) = ([String: String](), [ReadablePath]())
    for (name, text) in staged {
      let path = FilePath(text: text)
      let folder = ReadablePath(path.removingLastComponent())
      folders.append(folder)
      paths[name] = folder.text + "/" + (path.lastComponent?.string ?? "")
    }
    (self.paths, self.folders) = (paths, folders)
  }
}
