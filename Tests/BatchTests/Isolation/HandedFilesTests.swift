import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Open files on a socket.
@Suite struct HandedFilesTests {
  @Test func filesComeBeforeTheirLineInTheirOrder() throws {
    let folder = try TestFolder()
    let ends = try SocketEnds()
    // More than go with one message.
    let counts = [1, 0, 150, 2]
    let names = counts.enumerated().map { line, count in (0..<count).map { "\(line)-\($0)" } }
    for (line, names) in names.enumerated() {
      let files = try names.map { name in
        try folder.write(name, to: name)
        return Descriptor.Owned(try Descriptor(folder.at(name)))
      }
      try ends.own.file.send(
        Data("this is line \(line), which is long enough for all\n".utf8),
        handing: files.map(\.file), within: .seconds(300))
      withExtendedLifetime(files) {}
    }
    var (lines, files) = (LineReader(), [Descriptor.Owned]())
    for (line, names) in names.enumerated() {
      var next = lines.next()
      while next == nil {
        try #require(lines.read(from: ends.other.file, files: &files))
        next = lines.next()
      }
      #expect(String(decoding: next ?? Data(), as: UTF8.self).hasPrefix("this is line \(line),"))
      try #require(files.count >= names.count)
      for name in names {
        var bytes = [UInt8](repeating: 0, count: 20)
        let file = files.removeFirst()
        let count = try withExtendedLifetime(file) { try file.file.read(into: &bytes, at: 0) }
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == name)
      }
    }
    #expect(files.isEmpty && lines.rest.isEmpty)
  }

  @Test func sendingEndsWhereNothingIsRead() throws {
    let ends = try SocketEnds()
    ends.own.file.setNonBlocking()
    // More than a socket holds.
    let (file, long) = (ends.own.file, Data(count: 16 << 20))
    #expect(throws: Errno.timedOut) {
      try file.send(long, handing: [], within: .milliseconds(1))
    }
    // Open until here.
    ends.other.file.setNonBlocking()
  }

  @Test func sendingEndsWhereLittleIsRead() throws {
    let ends = try SocketEnds()
    ends.own.file.setNonBlocking()
    let (own, other) = (ends.own.file, ends.other.file)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var byte: [UInt8] = [0]
      for _ in 0..<1000 { _ = try? other.read(into: &byte) }
      ended.signal()
    }
    let long = Data(count: 16 << 20)
    #expect(throws: Errno.timedOut) {
      try own.send(long, handing: [], within: .milliseconds(20))
    }
    ended.wait()
    // Open until here.
    ends.other.file.setNonBlocking()
  }

  @Test func pipesHandNothingOver() throws {
    let ends = try PipeEnds()
    try ends.write.file.send(Array("a line\n".utf8))
    var (lines, files) = (LineReader(), [Descriptor.Owned]())
    #expect(lines.read(from: ends.read.file, files: &files))
    #expect(lines.all() == [Data("a line".utf8)] && files.isEmpty)
  }
}
