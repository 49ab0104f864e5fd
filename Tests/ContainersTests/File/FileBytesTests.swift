import Foundation
import TestSupport
import Testing

@testable import Containers

@Suite struct FileBytesTests {
  /// What is read and what is mapped, to the byte.
  @Test(arguments: [1, FileBytes.maxReadBytes, FileBytes.maxReadBytes + 1])
  func holdsTheFile(count: Int) throws {
    let folder = try TestFolder()
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = try FileBytes(path: try folder.write(content, to: "file"))
    #expect(bytes.count == count && bytes.bytes(0, count) == content)
    bytes.releaseMemory()
    #expect(bytes.bytes(count - 1, 1) == [content[count - 1]])
  }

  @Test func emptinessHasACodeOfItsOwn() throws {
    let folder = try TestFolder()
    let path = try folder.write([UInt8](), to: "file")
    #expect(throws: FormatError(.empty, "the file is empty; copy it again", path: path)) {
      try FileBytes(path: path)
    }
    let error = #expect(throws: FormatError.self) { try FileBytes([]) }
    #expect(error?.code == .empty)
  }

  /// Programs that write in place truncate a file first.
  @Test func aSmallFileMayBecomeShorter() throws {
    let folder = try TestFolder()
    let content = [UInt8](repeating: 7, count: 20_000)
    let path = try folder.write(content, to: "file")
    let bytes = try FileBytes(path: path)
    #expect(truncate(path, 0) == 0)
    #expect(bytes.bytes(0, content.count) == content)
  }

  /// What was read stays, what is lost is zeros, and is said.
  @Test func aMappedFileThatBecomesShorterIsAnError() throws {
    let folder = try TestFolder()
    let content = [UInt8](repeating: 7, count: 3 << 20)
    let path = try folder.write(content, to: "file")
    let bytes = try FileBytes(path: path)
    try bytes.checkReading()
    #expect(try reading(bytes) { bytes.bytes(2 << 20, 1) } == [7])
    #expect(truncate(path, 1 << 20) == 0)
    #expect(bytes.bytes(0, 1 << 20) == Array(content[..<(1 << 20)]) && !bytes.isLost)
    #expect(bytes.bytes(0, content.count)?.last == 0 && bytes.isLost)
    #expect { try bytes.checkReading() } throws: { isLoss($0, path) }
    #expect { try reading(bytes) { 1 } } throws: { isLoss($0, path) }
    // Another instance of the same file is complete.
    #expect(try !FileBytes(path: path).isLost)
  }

  private func reading<Value>(
    _ bytes: FileBytes, _ body: () throws(FormatError) -> Value
  ) throws(FormatError) -> Value { try bytes.reading({ $0 }, body) }

  private func isLoss(_ error: any Error, _ path: String) -> Bool {
    guard let error = error as? FormatError else { return false }
    return error.code == .cannotRead && error.path == path && error.message.contains("shorter")
  }

  /// Many at once, each lost or not on its own, their addresses reused.
  @Test func lostFilesDoNotTouchOthers() async throws {
    let folder = try TestFolder()
    let content = [UInt8](repeating: 7, count: FileBytes.maxReadBytes + 5000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<20 {
            let path = try folder.write(content, to: "file\(task)")
            let (bytes, other) = (try FileBytes(path: path), try FileBytes(path: path))
            if round % 2 == task % 2 {
              #expect(truncate(path, 8192) == 0)
              #expect(bytes.bytes(8192, 4096) == [UInt8](repeating: 0, count: 4096))
              #expect(bytes.isLost && !other.isLost)
            } else {
              #expect(bytes.bytes(0, content.count) == content && !bytes.isLost)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Faults of others go where they went before.
  @Test func otherFaultsEndTheProcess() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let folder = try TestFolder()
      let path = try folder.write([UInt8](repeating: 7, count: 3 << 20), to: "file")
      let own = try FileBytes(path: path)
      let descriptor = open(path, O_RDONLY)
      let other = mmap(nil, 3 << 20, PROT_READ, MAP_PRIVATE, descriptor, 0)
      truncate(path, 0)
      precondition(own.bytes(1 << 20, 1) == [0] && own.isLost)
      print(other!.load(fromByteOffset: 1 << 20, as: UInt8.self))
    }
    await #expect(processExitsWith: .exitCode(23)) {
      signal(SIGBUS) { _ in _exit(23) }
      let folder = try TestFolder()
      let path = try folder.write([UInt8](repeating: 7, count: 3 << 20), to: "file")
      let own = try FileBytes(path: path)
      truncate(path, 0)
      precondition(own.bytes(1 << 20, 1) == [0] && own.isLost)
      raise(SIGBUS)
    }
  }
}
