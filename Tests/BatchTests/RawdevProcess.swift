import Foundation
import SystemPackage
import Testing

@testable import Batch

/// The program itself, which SwiftPM puts beside the tests.
struct RawdevProcess {
  /// Its path.
  static var executable: FilePath {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let path = FilePath(own).removingLastComponent().appending("rawdev")
      return try #require(
        FileStatus(path).map { _ in path }, "\(path) is not there; build the whole package first")
    }
  }

  var code: Int32
  var output: String
  var stderr: String

  /// The lines of its output as events.
  var events: [BatchEvent] {
    output.split(separator: "\n").compactMap { try? BatchEvent(line: Data($0.utf8)) }
  }

  var items: [String: BatchItem] {
    var found: [String: BatchItem] = [:]
    for case .item(let item) in events { found[item.id] = item }
    return found
  }

  /// Runs it to its end in `folder`, with `input` on its standard input. `meanwhile` gets its number while it
  /// works.
  init(
    _ arguments: [String], in folder: FilePath, input: String = "",
    meanwhile: (_ process: pid_t) -> Void = { _ in }
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Self.executable.string)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.string)
    let names = ["in", "out", "err"].map { folder.appending(".rawdev-test-\($0)") }
    defer { for name in names { Folders.remove(name) } }
    try TestFolder.write(Array(input.utf8), to: names[0])
    for name in names.dropFirst() { try TestFolder.write([], to: name) }
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: names[0].string))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: names[1].string))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: names[2].string))
    try process.run()
    meanwhile(process.processIdentifier)
    process.waitUntilExit()
    code =
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    (output, stderr) = (TestFolder.read(names[1]) ?? "", TestFolder.read(names[2]) ?? "")
  }
}
