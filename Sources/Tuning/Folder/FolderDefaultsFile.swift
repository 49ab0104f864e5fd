import Batch
import Develop
import Recipes
import Synchronization
import SystemPackage

/// The file with the defaults of a folder: the one that is there, or `.rawdev/defaults.yaml`.
struct FolderDefaultsFile {
  private let path: FilePath

  private static let writing = Mutex(())

  /// The file of `folder`. Throws where there are two, or where a link points outside `root`.
  init(of folder: FilePath, below root: FilePath) throws(RecipeError) {
    let all = FolderDefaults.names.map { folder.pushing(FilePath($0)) }
    let found = all.filter { FileStatus($0) != nil }
    guard found.count < 2 else {
      throw RecipeError(
        .badSetting,
        "\(found[1].shown) gives defaults for the same folder; keep one of the two",
        path: found[0].shown)
    }
    path = found.first ?? folder.appending(".rawdev").appending("defaults.yaml")
    try FolderScan.requireInside(path, root)
  }

  /// Sets the properties `values` in it. Returns its path.
  func write(_ values: [String: RecipeValue]) throws -> FilePath {
    try Self.writing.withLock { _ in
      // Again where another program wrote it meanwhile.
      while try !write(values, over: try DocumentFile.bytes(path.bytes)) {}
    }
    return path
  }

  /// The same where it holds `bytes`, nil for no file; false where it does no longer.
  private func write(_ values: [String: RecipeValue], over bytes: [UInt8]?) throws -> Bool {
    let old = try bytes.map { (bytes) throws(RecipeError) in
      try RecipeDocument(bytes, of: path.bytes).ownProperties
    }
    let new = RecipeDocument.merged(values, into: old ?? [:])
    let text = try RecipeDocument.edited(
      bytes, of: path.bytes, with: RecipeDocument.changes(from: old ?? [:], to: new))
    if let bytes { return try DocumentFile.replace(path.bytes, of: bytes, with: text) }
    try Folders.create(path.removingLastComponent())
    try DocumentFile.create(text, at: path.bytes)
    return true
  }
}
