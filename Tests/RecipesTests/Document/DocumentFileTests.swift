import Foundation
import TestSupport
import Testing

@testable import Recipes

@Suite struct DocumentFileTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func content(_ name: String) -> String? {
    FileManager.default.contents(atPath: folder.file(name)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func newFileIsWrittenCompletely() throws {
    let text = String(repeating: "#line\n", count: 100_000)
    try DocumentFile.create(text, at: folder.file("a.yaml"))
    #expect(content("a.yaml") == text)
    #expect(folder.names == ["a.yaml"])
  }

  /// What another program wrote meanwhile is not lost.
  @Test func onlyWhatWasReadIsReplaced() throws {
    try folder.write("old", to: "a.yaml")
    let path = Array(folder.file("a.yaml").utf8)
    #expect(try !DocumentFile.replace(path, of: Array("older".utf8), with: "new"))
    #expect(content("a.yaml") == "old" && folder.names == ["a.yaml"])
    #expect(try DocumentFile.replace(path, of: Array("old".utf8), with: "new"))
    #expect(content("a.yaml") == "new" && folder.names == ["a.yaml"])
  }

  @Test func existingFileIsLeftAlone() throws {
    try folder.write("old", to: "a.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.yaml"), withDestinationPath: folder.file("gone"))
    try folder.write("", to: "folder.yaml/x")
    for name in ["a.yaml", "link.yaml", "folder.yaml"] {
      let error = #expect(throws: RecipeError.self) {
        try DocumentFile.create("new", at: folder.file(name))
      }
      #expect(error?.code == .exists && error?.path == folder.file(name))
    }
    #expect(content("a.yaml") == "old")
    #expect(folder.names == ["a.yaml", "folder.yaml", "link.yaml"])
  }

  @Test func missingFolderIsNamed() {
    for isNew in [true, false] {
      let path = folder.file("no/such/a.yaml")
      let error = #expect(throws: RecipeError.self) {
        if isNew {
          try DocumentFile.create("new", at: path)
        } else {
          try DocumentFile.replace(path, with: "new")
        }
      }
      #expect(error?.code == .cannotWrite && error?.path == path)
      #expect(error?.message.contains("create it first") ?? false)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func replacedFileHasTheNewTextAlone() throws {
    let path = try folder.write("a long old text", to: "a.yaml")
    try DocumentFile.replace(path, with: "new")
    #expect(content("a.yaml") == "new")
    #expect(folder.names == ["a.yaml"])
  }

  @Test func onlyFilesOfUpToAMebibyteAreRead() throws {
    let largest = [UInt8](repeating: 0x23, count: RecipeLimits.documentBytes)
    let fits = try folder.write(largest, to: "fits.yaml")
    #expect(try DocumentFile.bytes(Array(fits.utf8)) == largest)
    let large = try folder.write(largest + [0x0A], to: "large.yaml")
    let tooLarge = #expect(throws: RecipeError.self) {
      try DocumentFile.bytes(Array(large.utf8))
    }
    #expect(tooLarge?.code == .malformed)
    let noFile = #expect(throws: RecipeError.self) { try DocumentFile.bytes(folder.bytes) }
    #expect(noFile?.code == .cannotRead)
    for missing in ["none", "none/a", "large.yaml/a", String(repeating: "n", count: 300), "\0"] {
      #expect(try DocumentFile.bytes(Array(folder.file(missing).utf8)) == nil)
    }
  }
}
