import ArgumentParser
import Foundation

/// The lens database.
struct LensOptions: ParsableArguments {
  @Option(
    name: .customLong("lensfun-db"),
    help: """
      Folder of lensfun's XML files, or one file, for lenses that the raw has no corrections of. \
      (default: the system's)
      """, completion: .directory)
  var database: String?

  func validate() throws {
    if let database, !FileManager.default.fileExists(atPath: database) {
      throw ValidationError("--lensfun-db \(database): no such folder or file")
    }
  }
}
