import Foundation
import Recipes
import SystemPackage
import Testing

@testable import Batch

@Suite struct LinesTests {
  @Test func linesInChunks() throws {
    // A pipe whose reading end does not wait.
    let ends = try FileDescriptor.pipe(options: .closeOnExec)
    ends.readEnd.setNonBlocking()
    defer { try? ends.readEnd.close() }
    var lines = LineReader()
    var found: [String] = []
    func take() {
      while let line = lines.next() { found.append(String(decoding: line, as: UTF8.self)) }
    }
    for chunk in ["on", "e\n\ntw", "o", "\nthr", "ee"] {
      try ends.writeEnd.send(chunk.utf8)
      let isOpen = lines.read(from: ends.readEnd)
      #expect(isOpen)
      take()
    }
    #expect(found == ["one", "", "two"])
    // An empty read is not the end.
    var isOpen = lines.read(from: ends.readEnd)
    #expect(isOpen)
    try ends.writeEnd.close()
    isOpen = lines.read(from: ends.readEnd)
    #expect(!isOpen)
    #expect(String(decoding: lines.rest, as: UTF8.self) == "three")
  }

  @Test func linesLongerThanAPipe() throws {
    let ends = try FileDescriptor.pipe(options: .closeOnExec)
    defer { try? ends.readEnd.close() }
    let long = Data((0..<3_000_000).map { UInt8(97 + $0 % 26) })
    Thread.detachNewThread {
      do {
        try ends.writeEnd.send(long + [10])
        try ends.writeEnd.send("short\n".utf8)
        try ends.writeEnd.close()
      } catch { Issue.record(error) }
    }
    var lines = LineReader()
    var found: [Data] = []
    while lines.read(from: ends.readEnd) { found += lines.all() }
    #expect(found.count == 2 && found.first == long)
    #expect(found.last == Data("short".utf8))
  }

  @Test func aClosedPipeIsAnErrorAndNoSignal() throws {
    let ends = try FileDescriptor.pipe(options: .closeOnExec)
    try ends.readEnd.close()
    defer { try? ends.writeEnd.close() }
    // Independent of the program's handling of SIGPIPE: by default the signal would end it here.
    let before = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, before) }
    #expect(throws: Errno.brokenPipe) { try ends.writeEnd.send([1, 2, 3]) }
    #expect(throws: Errno.badFileDescriptor) { try FileDescriptor(rawValue: -1).send([1]) }
  }

  /// Brackets within each other are bounded, those in texts do not count.
  @Test func deepLinesAreRefused() throws {
    func line(_ depth: Int) -> Data {
      Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONLine.decode(RecipeValue.self, line(64))
    #expect(throws: DecodingError.self) { try JSONLine.decode(RecipeValue.self, line(65)) }
    let text = Data(#"["\"[[\\", "\#(String(repeating: "{", count: 100))"]"#.utf8)
    _ = try JSONLine.decode(RecipeValue.self, text)
  }
}
