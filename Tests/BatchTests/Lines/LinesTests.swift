import Foundation
import Testing

@testable import Batch

@Suite struct LinesTests {
  /// A pipe whose reading end does not wait.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    let ends = try #require(Pipe.make())
    _ = fcntl(ends.read, F_SETFL, fcntl(ends.read, F_GETFL) | O_NONBLOCK)
    return ends
  }

  @Test func linesComeWhole() throws {
    let ends = try Self.pipe()
    defer { close(ends.read) }
    var lines = LineReader()
    var found: [String] = []
    func take() {
      while let line = lines.next() { found.append(String(decoding: line, as: UTF8.self)) }
    }
    for piece in ["on", "e\n\ntw", "o", "\nthr", "ee"] {
      #expect(LineWriter.writeAll(Array(piece.utf8), to: ends.write))
      let isOpen = lines.read(from: ends.read)
      #expect(isOpen)
      take()
    }
    #expect(found == ["one", "", "two"])
    // Nothing new is no end.
    var isOpen = lines.read(from: ends.read)
    #expect(isOpen)
    close(ends.write)
    isOpen = lines.read(from: ends.read)
    #expect(!isOpen)
    #expect(String(decoding: lines.rest, as: UTF8.self) == "three")
  }

  @Test func linesLongerThanAPipe() throws {
    let ends = try #require(Pipe.make())
    defer { close(ends.read) }
    let long = Data((0..<3_000_000).map { UInt8(97 + $0 % 26) })
    Thread.detachNewThread {
      LineWriter.write(long, to: ends.write)
      LineWriter.write(Data("short".utf8), to: ends.write)
      close(ends.write)
    }
    var lines = LineReader()
    var found: [[UInt8]] = []
    while lines.read(from: ends.read) { while let line = lines.next() { found.append(line) } }
    while let line = lines.next() { found.append(line) }
    #expect(found.count == 2 && found.first == Array(long))
    #expect(found.last == Array("short".utf8))
  }

  @Test func aClosedPipeIsAnAnswerAndNoSignal() throws {
    let ends = try Self.pipe()
    close(ends.read)
    defer { close(ends.write) }
    // Whatever the program around does with SIGPIPE: by default it would end it here.
    let before = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, before) }
    #expect(!LineWriter.write(Data("x".utf8), to: ends.write))
    #expect(!LineWriter.writeAll([1, 2, 3], to: -1))
  }
}
