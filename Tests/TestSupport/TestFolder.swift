import Foundation

/// A folder for one test, as a property of its suite or a local value; it is gone with the value.
package final class TestFolder: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "rawdev-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var bytes: [UInt8] { Array(path.utf8) }

  /// The path of `name`, which may have several parts.
  package func file(_ name: String) -> String { path + "/" + name }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes `text`; makes the folders on the way. Returns the path.
  @discardableResult package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `bytes`; makes the folders on the way. Returns the path.
  @discardableResult package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = file(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}
