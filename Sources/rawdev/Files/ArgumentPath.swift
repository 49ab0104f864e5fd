import ArgumentParser
import Develop
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

  /// Commands that accept any file name; the others need UTF-8.
  private static let bytewise: Set = ["batch", "manifest", "serve", "tune", "worker"]

  /// Throws for an argument that is not UTF-8 where `command` would read it as another name, or
  /// where another argument reads the same.
  static func requireTexts(of command: String?) throws {
    guard let shown = undecodable.keys.min() else { return }
    var counts: [String: Set<[UInt8]>] = [:]
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      let bytes = unsafe FilePath(platformString: argument).bytes
      unsafe counts[String(cString: argument), default: []].insert(bytes)
    }
    if let alike = undecodable.keys.filter({ (counts[$0]?.count ?? 0) > 1 }).min() {
      throw ValidationError(
        "several names that are not UTF-8 read \(alike); give their folder, or rename them")
    }
    guard bytewise.contains(command ?? "") else {
      throw ValidationError("\(shown): \(notText)")
    }
  }

  /// The message for a name that is not UTF-8.
  static let notText = "the name is not UTF-8; rename it, or use rawdev batch, which takes any name"

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
