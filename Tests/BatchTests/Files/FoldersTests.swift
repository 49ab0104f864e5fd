import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct FoldersTests {
  private let folder: TestFolder
  init() throws {
    folder = try TestFolder()
    for name in ["out/in", "outside"] { try Folders.create(folder.at(name)) }
    for (link, target) in [
      ("linked", "out"), ("out/inner", "in"), ("out/self", "."), ("out/away", "../outside"),
      ("out/in/up", ".."), ("out/beside", "../out-of-it"), ("out/dead", "none"),
      ("out/loop", "loop"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    // Its name has the folder's name as a prefix.
    try Folders.create(folder.at("out-of-it"))
  }

  @Test(arguments: ["out", "linked"]) func linksMayStayWithin(top: String) throws {
    for path: FilePath in [
      "a.jpg", "in/a.jpg", "new/folder/a.jpg", "inner/a.jpg", "self/in/a.jpg", "in/up/a.jpg",
    ] {
      try Folders.requireNoWayOut(of: folder.at(top), to: path)
    }
  }

  @Test(arguments: ["out", "linked"]) func linksThatLeadOutAreRefused(top: String) throws {
    for path: FilePath in [
      "away/a.jpg", "away/new/a.jpg", "self/away/a.jpg", "beside/a.jpg", "dead/a.jpg",
      "loop/a.jpg",
    ] {
      let error = try #require(throws: BatchError.self) {
        try Folders.requireNoWayOut(of: folder.at(top), to: path)
      }
      #expect(error.code == .cannotWrite && error.message.contains("leads out"), "\(path)")
      #expect(!error.isForAll)
    }
  }

  /// The last name is replaced, and not followed.
  @Test func filesThatAreLinksAreNotFolders() throws {
    try Folders.requireNoWayOut(of: folder.at("out"), to: "away")
  }

  /// Except files that are opened.
  @Test func whatIsFollowedStaysWithin() throws {
    for path: FilePath in ["inner", "in", "none", "in/a.jpg"] {
      try Folders.requireNoWayOut(of: folder.at("out"), to: path, isFollowed: true)
    }
    for path: FilePath in ["away", "dead", "self/away"] {
      let error = #expect(throws: BatchError.self) {
        try Folders.requireNoWayOut(of: folder.at("out"), to: path, isFollowed: true)
      }
      #expect(error?.message.contains("leads out") ?? false, "\(path)")
    }
  }
}
