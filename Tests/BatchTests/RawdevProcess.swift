import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// The program itself, which SwiftPM builds next to the tests.
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

  /// Runs it to its end in `folder`, with `input` on its standard input. Where `signal` is given it
  /// is sent after `afterItems` items; nothing more of its output is read before that, so that it
  /// stops by itself when the smallest pipe that there is, 4 KiB, is full.
  init(
    _ arguments: [String], in folder: FilePath, input: String = "",
    signal: Int32? = nil, afterItems: Int = 0
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Self.executable.string)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.string)
    let names = ["in", "err"].map { folder.appending(".rawdev-test-\($0)") }
    defer { for name in names { Folders.remove(name) } }
    try TestFolder.write(Array(input.utf8), to: names[0])
    try TestFolder.write([], to: names[1])
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: names[0].string))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: names[1].string))
    let pipe = Pipe()
    process.standardOutput = pipe
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    // F_SETPIPE_SZ, which Glibc does not export.
    try #require(fcntl(descriptor, 1031, 4096) == 4096)
    try process.run()
    var read: [UInt8] = []
    func isMore(_ size: Int) -> Bool {
      var chunk = [UInt8](repeating: 0, count: size)
      let count = Foundation.read(descriptor, &chunk, size)
      if count > 0 { read += chunk[..<count] }
      return count > 0 || count < 0 && errno == EINTR
    }
    if let signal {
      let item = Array(#""event":"item""#.utf8)
      while read.split(separator: 10).count(where: { $0.contains(item) }) < afterItems, isMore(1) {}
      kill(process.processIdentifier, signal)
    }
    while isMore(64 << 10) {}
    process.waitUntilExit()
    code =
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = String(decoding: read, as: UTF8.self)
    stderr = TestFolder.read(names[1]) ?? ""
  }
}
