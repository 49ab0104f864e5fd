import Foundation
import TestSupport
import Testing

@testable import Containers

@Suite struct FileBytesTests {
  /// What is read and what is mapped, to the byte.
  @Test(arguments: [1, FileBytes.mostRead, FileBytes.mostRead + 1])
  func holdsTheFile(count: Int) throws {
    let folder = try TestFolder()
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = try FileBytes(path: try folder.write(content, to: "file"))
    #expect(bytes.count == count && bytes.bytes(0, count) == content)
    bytes.releaseMemory()
    #expect(bytes.bytes(count - 1, 1) == [content[count - 1]])
  }

  /// Programs that write in place make a file shorter first.
  @Test func aSmallFileMayBecomeShorter() throws {
    let folder = try TestFolder()
    let content = [UInt8](repeating: 7, count: 20_000)
    let path = try folder.write(content, to: "file")
    let bytes = try FileBytes(path: path)
    #expect(truncate(path, 0) == 0)
    #expect(bytes.bytes(0, content.count) == content)
  }
}
