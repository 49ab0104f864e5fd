import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct ServeSocketTests {
  @Test func theSocketOfADeadServerIsReplaced() throws {
    let folder = try TestFolder()
    let path = folder.at("s")
    // As after kill -9: the file is there, nobody listens.
    do {
      guard let dead = UnixSocket(path) else { throw Errno.fileNameTooLong }
      try dead.bind()
    }
    #expect(FileStatus(path) != nil)
    let socket = try ServeSocket(path)
    let client = try TestClient(path)
    #expect(socket.accept() != nil)
    withExtendedLifetime((socket, client)) {}
  }

  @Test func theSocketOfARunningServerStays() throws {
    let folder = try TestFolder()
    let path = folder.at("s")
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
      let error = #expect(throws: BatchError.self) { _ = try ServeSocket(folder.at(name)) }
      #expect(error?.code == .cannotWrite)
    }
    #expect(folder.read("file") == "precious" && folder.read("folder/x") == "1")
  }

  @Test func invalidPathsAreRefused() throws {
    let folder = try TestFolder()
    let long = folder.at(String(repeating: "s", count: 108))
    let error = #expect(throws: BatchError.self) { _ = try ServeSocket(long) }
    #expect(error?.code == .badSetting)
    let missing = #expect(throws: BatchError.self) { _ = try ServeSocket(folder.at("no/s")) }
    #expect(missing?.code == .cannotWrite)
  }

  @Test func clientsLeaveOpenFilesForWorkers() {
    #expect(ServeSocket.maxClients(besides: 2, openFiles: 64) == 40)
    #expect(ServeSocket.maxClients(besides: 256, openFiles: 1024) == 1)
    #expect(ServeSocket.maxClients(besides: 8, openFiles: 1 << 20) == 4096)
  }

  @Test func onlyTheOwnerMayConnect() throws {
    let folder = try TestFolder()
    let socket = try ServeSocket(folder.at("s"))
    var status = stat()
    #expect(stat(folder.at("s").string, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(socket) {}
  }
}
