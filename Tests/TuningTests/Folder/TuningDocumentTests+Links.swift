import Foundation
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

extension TuningDocumentTests {
  @Test func whatLeadsOutIsLeftAlone() throws {
    let outside = try TestFolder()
    try outside.write("raw: {exposure: 1}\n", to: "config.yaml")
    for (link, target) in [(sidecar, outside.file("config.yaml")), (".rawdev", outside.path)] {
      try FileManager.default.createSymbolicLink(
        atPath: raw.file(link), withDestinationPath: target)
    }
    let document = try document()
    let state = try document.state()
    #expect(state.own.isEmpty && state.problem?.contains("leads out") == true)
    #expect(throws: RecipeError.self) {
      try document.save(["exposure": 2], revision: state.revision, force: true)
    }
    #expect(throws: RecipeError.self) { try document.saveFolderDefaults(["exposure": 2]) }
    #expect(outside.names == ["config.yaml"] && text() == "raw: {exposure: 1}\n")
  }

  @Test func linksMayStayInTheOpenedFolder() throws {
    try raw.files.write("schema: 1\nraw:\n  exposure: 1\n", to: "all.yaml")
    try raw.files.write("no raw", to: "sub/b.dng")
    try FileManager.default.createSymbolicLink(
      atPath: raw.file("sub/b.dng.rawdev.yaml"), withDestinationPath: "../all.yaml")
    let path = FilePath(raw.file("sub/b.dng"))
    let alone = try TuningDocument(path: path, filter: filter)
    #expect(throws: RecipeError.self) {
      try alone.save(["exposure": 2], revision: try alone.state().revision)
    }
    let document = try TuningDocument(path: path, filter: filter, below: FilePath(raw.folder))
    let state = try document.save(["exposure": 2], revision: try document.state().revision)
    #expect(state.problem == nil)
    #expect(text("all.yaml") == "schema: 1\nraw:\n  exposure: 2\n")
  }
}
