import Foundation

/// The files of Fixtures/hostile.
package enum HostileFile {
  /// The path of `name`, which begins with the folder of its target.
  package static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/hostile/\(name)").path
  }
}
