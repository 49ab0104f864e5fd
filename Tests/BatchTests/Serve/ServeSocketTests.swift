import Develop
import Foundation
import SystemPackage
import Testing

@testable import Batch

@Suite struct ServeSocketTests {
  @Test func whatAServerLeftIsReplaced() throws {
    let folder = try TestFolder()
    let path = folder.file("s")
    // As after kill -9: the file is there, nobody listens.
    let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    let bound = withUnsafePointer(to: &address) { start in
      start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(dead)
    #expect(bound == 0 && FileStatus(path) != nil)
    let socket = try ServeSocket(path)
    let client = try TestClient(path)
    #expect(socket.accept() != nil)
    withExtendedLifetime((socket, client)) {}
  }

  @Test func aServerThatListensStays() throws {
    let folder = try TestFolder()
    let path = folder.file("s")
    var first: ServeSocket? = try ServeSocket(path)
    for _ in 0..<3 {
      let error = #expect(throws: BatchError.self) { _ = try ServeSocket(path) }
      #expect(error?.code == .cannotWrite)
      // Others still find it.
      _ = try TestClient(path)
    }
    withExtendedLifetime(first) {}
    first = nil
    #expect(FileStatus(path) == nil)
  }

  @Test func otherFilesStay() throws {
    let folder = try TestFolder()
    try folder.write("precious", to: "file")
    try folder.write("1", to: "folder/x")
    for name in ["file", "folder"] {
      let error = #expect(throws: BatchError.self) { _ = try ServeSocket(folder.file(name)) }
      #expect(error?.code == .cannotWrite)
    }
    #expect(folder.read("file") == "precious" && folder.read("folder/x") == "1")
  }

  @Test func pathsThatCannotBe() throws {
    let folder = try TestFolder()
    let long = folder.file(String(repeating: "s", count: 108))
    let error = #expect(throws: BatchError.self) { _ = try ServeSocket(long) }
    #expect(error?.code == .badSetting)
    let missing = #expect(throws: BatchError.self) { _ = try ServeSocket(folder.file("no/s")) }
    #expect(missing?.code == .cannotWrite)
  }

  @Test func onlyTheOwnerMayConnect() throws {
    let folder = try TestFolder()
    let socket = try ServeSocket(folder.file("s"))
    var status = stat()
    #expect(stat(folder.file("s").string, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(socket) {}
  }
}
