import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeFolderTests {
  private let files: TestFolder
  private let folder: RecipeFolder
  init() throws {
    files = try TestFolder()
    folder = RecipeFolder(path: Array(files.file("recipes").utf8))
  }

  @Test func recipesAreFoundByName() throws {
    #expect(folder.names.isEmpty)
    try files.write("raw: {exposure: 1}\n", to: "recipes/evening.yaml")
    try files.write("{\"raw\": {\"exposure\": 2}}", to: "recipes/a b.json")
    try files.write("raw: {exposure: 3}\n", to: "recipes/web.yaml")
    try files.write("raw: {exposure: 4}\n", to: "recipes/.hidden.yaml")
    try files.write("none", to: "recipes/notes.txt")
    #expect(folder.names == ["a b", "evening", "web"])
    func exposure(_ name: String) throws -> RecipeValue? {
      try RecipeChain.document(named: name, or: folder).values["raw"]?["exposure"]
    }
    #expect(try exposure("evening") == 1 && exposure("a b") == 2)
    // What is included in the program has the first claim on a name.
    #expect(try exposure("web") == nil)
    let error = #expect(throws: RecipeError.self) { try exposure("evenin") }
    #expect(error?.message.contains("evening") == true)
    #expect(throws: RecipeError.self) { try RecipeChain.document(named: "evening") }
  }

  @Test func aBadOneIsNamed() throws {
    let path = try files.write("raw: [", to: "recipes/bad.yaml")
    let error = #expect(throws: RecipeError.self) {
      try RecipeChain.document(named: "bad", or: folder)
    }
    #expect(error?.code == .malformed && error?.path == path)
  }
}
