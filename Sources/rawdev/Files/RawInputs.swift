import Batch
import Develop
import Foundation
import SystemPackage

/// The raws that arguments name: files, and those in folders.
struct RawInputs {
  /// Their paths, in the order of the arguments.
  private(set) var files: [String] = []
  /// Those in folders whose names are not UTF-8: they are named as failures.
  private(set) var unread: [FilePath] = []
  /// Whether an argument is a folder, so that there may be several raws.
  private(set) var hasFolders = false

  /// `recursive`: with the folders below those that are named. Throws where a folder holds no raw.
  init(_ arguments: [String], recursive: Bool) throws {
    for argument in arguments {
      guard (try? Stat(ArgumentPath.path(argument)))?.type == .directory else {
        files.append(argument)
        continue
      }
      hasFolders = true
      let list = try SourceList(
        [ArgumentPath.path(argument)], workingFolder: ArgumentPath.workingFolder,
        isRecursive: recursive)
      if let failure = list.failures.first { throw failure }
      guard !list.sources.isEmpty else {
        throw BatchError(
          .cannotRead,
          "there is no raw in this folder"
            + (recursive ? "; name another" : "; --recursive looks below it, too"),
          path: FilePath(argument))
      }
      for source in list.sources {
        let path = FilePath(argument).pushing(source.relativePath)
        if path.string.utf8.elementsEqual(path.bytes) {
          files.append(path.string)
        } else {
          unread.append(path)
        }
      }
    }
  }
}
