import Foundation

/// A folder for one test, as a property of its suite; it is gone with the suite's value.
final class TestFolder {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "writers-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
