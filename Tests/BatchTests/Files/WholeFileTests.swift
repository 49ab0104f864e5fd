import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct WholeFileTests {
  private struct Stop: Error {}

  @Test func createNeverReplaces() throws {
    let folder = try TestFolder()
    try WholeFile.create(folder.at("a"), Data("one".utf8))
    let error = #expect(throws: BatchError.self) {
      try WholeFile.create(folder.at("a"), Data("two".utf8))
    }
    #expect(error?.code == .exists && folder.read("a") == "one")
    let missing = #expect(throws: BatchError.self) {
      try WholeFile.create(folder.at("no/a"), Data())
    }
    #expect(missing?.code == .cannotWrite)
  }

  @Test func theOldFileStaysUntilTheNewOneIsComplete() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "page")
    #expect(throws: Stop.self) {
      try WholeFile.write(to: folder.at("page")) { put in
        try put(Data("half".utf8))
        throw Stop()
      }
    }
    #expect(folder.read("page") == "old")
    #expect(try folder.names("") == ["page"])
    try WholeFile.write(to: folder.at("page")) { put in
      try put(Data("ne".utf8))
      #expect(folder.read("page") == "old")
      try put(Data("w".utf8))
    }
    #expect(folder.read("page") == "new")
    #expect(try folder.names("") == ["page"])
  }

  @Test func aFolderAtThePathIsAFailure() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "page/x")
    #expect(throws: BatchError.self) {
      try WholeFile.write(to: folder.at("page")) { try $0(Data("new".utf8)) }
    }
    #expect(try folder.names("") == ["page/x"])
  }
}
