import Develop
import Formats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct AtomicFilePiecesTests {
  private struct Stop: Error {}

  @Test func theOldFileStaysUntilTheNewOneIsComplete() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "page")
    #expect(throws: Stop.self) {
      try AtomicFile.write(to: folder.at("page")) { put in
        try put(Data("half".utf8))
        throw Stop()
      }
    }
    #expect(folder.read("page") == "old")
    #expect(try folder.names("") == ["page"])
    try AtomicFile.write(to: folder.at("page")) { put in
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
      try AtomicFile.write(to: folder.at("page")) { try $0(Data("new".utf8)) }
    }
    #expect(try folder.names("") == ["page/x"])
  }

  @Test func namesNeedNotBeText() throws {
    let folder = try TestFolder()
    let path = folder.root.pushing(FilePath(bytes: [0xFF, 0x2E, 0x68]))
    try AtomicFile.write(to: path) { try $0(Data("new".utf8)) }
    #expect(TestFolder.read(path) == "new")
    #expect(try folder.names("").count == 1)
  }

  @Test func aMissingFolderIsAFailure() throws {
    let folder = try TestFolder()
    let error = #expect(throws: BatchError.self) {
      try AtomicFile.write(to: folder.at("no/page")) { try $0(Data("new".utf8)) }
    }
    #expect(error?.code == .cannotWrite && error?.path == folder.at("no/page"))
  }
}
