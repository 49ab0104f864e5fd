import Foundation
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import TuningServer

@Suite struct SnapshotsTests {
  private let files: TestFolder
  private let state: FilePath
  init() throws {
    files = try TestFolder()
    state = FilePath(files.path).appending("state")
  }

  private func snapshots(of folder: FilePath = "/shoot") -> Snapshots {
    Snapshots(of: folder, in: state)
  }

  private func onlyFile() throws -> FilePath {
    let names = try FileManager.default.contentsOfDirectory(atPath: state.string)
    try #require(names.count == 1)
    return state.appending(names[0])
  }

  @Test func theyAreThereAtTheNextStart() throws {
    #expect(try snapshots().all(of: "a.dng").isEmpty)
    #expect(try snapshots().keep(["exposure": 1], as: "bright", of: "a.dng").count == 1)
    _ = try snapshots().keep(["exposure": -1], as: "dark", of: "a.dng")
    #expect(try snapshots().all(of: "a.dng").map(\.name) == ["bright", "dark"])
    #expect(try snapshots().all(of: "a.dng").first?.own == ["exposure": 1])
    #expect(try snapshots().all(of: "b.dng").isEmpty)
    #expect(try snapshots(of: "/other").all(of: "a.dng").isEmpty)
    let again = try snapshots().keep(["exposure": 2], as: "bright", of: "a.dng")
    #expect(again.map(\.name) == ["dark", "bright"])
    #expect(try snapshots().keep(nil, as: "dark", of: "a.dng").map(\.name) == ["bright"])
    #expect(try Stat(onlyFile()).permissions == .ownerReadWrite)
    #expect(try Stat(state).permissions == .ownerReadWriteExecute)
  }

  @Test(arguments: ["", "{", "[]", #"{"folder": "/shoot", "pictures": {"a.dng": 7}}"#])
  func aDamagedFileIsLeftAlone(_ text: String) throws {
    _ = try snapshots().keep(["exposure": 1], as: "bright", of: "a.dng")
    let file = try onlyFile()
    try Data(text.utf8).write(to: URL(fileURLWithPath: file.string))
    #expect(throws: RequestRefusal.self) { try snapshots().all(of: "a.dng") }
    #expect(throws: RequestRefusal.self) { try snapshots().keep([:], as: "new", of: "a.dng") }
    #expect(FileManager.default.contents(atPath: file.string) == Data(text.utf8))
  }

  @Test func whatIsTooLargeIsRefused() throws {
    let long = String(repeating: "x", count: 600_000)
    _ = try snapshots().keep(["lutPath": .text(long)], as: "one", of: "a.dng")
    #expect(throws: RequestRefusal.self) {
      try snapshots().keep(["lutPath": .text(long)], as: "two", of: "b.dng")
    }
    #expect(try snapshots().all(of: "b.dng").isEmpty)
    for name in ["", String(repeating: "x", count: 81)] {
      #expect(throws: RequestRefusal.self) { try snapshots().keep([:], as: name, of: "a.dng") }
    }
  }

  @Test func withoutAFolderTheyLastAsLongAsTheServer() throws {
    let snapshots = Snapshots(of: "/shoot", in: nil)
    _ = try snapshots.keep(["exposure": 1], as: "bright", of: "a.dng")
    #expect(try snapshots.all(of: "a.dng").map(\.name) == ["bright"])
  }
}
