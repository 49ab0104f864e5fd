import Foundation
import SystemPackage

/// Paths as the shell passed them, byte for byte: they need not be UTF-8, as texts of options are.
enum ArgumentPath {
  /// Arguments that are not UTF-8, by the texts that they are read as.
  private static let undecodable: [String: FilePath] = {
    var found: [String: FilePath] = [:]
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      unsafe found[String(cString: argument)] = FilePath(platformString: argument)
    }
    return found
  }()

  /// The path that was read as the argument `text`.
  static func path(_ text: String) -> FilePath { undecodable[text] ?? FilePath(text) }

  /// The name of the file, for progress.
  static func name(_ text: String) -> String { path(text).lastComponent?.string ?? text }

  /// The folder that relative paths start from.
  static var workingFolder: FilePath {
    guard let folder = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(folder) }
    return unsafe FilePath(platformString: folder)
  }

  /// The same as an absolute path without `.` and `..`.
  static func absolute(_ text: String) -> FilePath {
    workingFolder.pushing(path(text)).lexicallyNormalized()
  }
}
