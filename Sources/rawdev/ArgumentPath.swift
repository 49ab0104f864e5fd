import Foundation
import SystemPackage

/// Paths as the shell gave them, byte for byte: names need not be UTF-8, the texts of options are.
enum ArgumentPath {
  /// Arguments that are no UTF-8, by the texts that they are read as.
  private static let odd: [String: FilePath] = {
    var found: [String: FilePath] = [:]
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      found[String(cString: argument)] = FilePath(platformString: argument)
    }
    return found
  }()

  /// The path that the argument `text` was.
  static func path(_ text: String) -> FilePath { odd[text] ?? FilePath(text) }

  /// The folder that relative paths start from.
  static var workingFolder: FilePath {
    guard let folder = getcwd(nil, 0) else { return "/" }
    defer { free(folder) }
    return FilePath(platformString: folder)
  }

  /// The same from the root.
  static func absolute(_ text: String) -> FilePath {
    workingFolder.pushing(path(text)).lexicallyNormalized()
  }
}
