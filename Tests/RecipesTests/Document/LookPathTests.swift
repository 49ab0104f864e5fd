import RawFilter
import TestSupport
import Testing

@testable import Recipes

/// Files of colors that are named as the look.
@Suite struct LookPathTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func document(_ text: String) throws -> RecipeDocument {
    try RecipeDocument(contentsOf: try folder.write(text, to: "sub/r.yaml"))
  }

  private func recipe(_ text: String) throws -> Recipe {
    try Recipe(LayeredRecipe([RecipeLayer(.recipe, "r", try document(text))]))
  }

  @Test func theyAreFoundBesideTheirDocument() throws {
    for name in ["s40.rawlook", "../a.CUBE", "hald.png", "looks/my film.rawlook"] {
      let look = try recipe("raw: {look: \"\(name)\"}").raw.look
      #expect(look.lutPath == folder.path + "/sub/" + name && look.base == .standard)
    }
    #expect(try recipe("raw: {look: /a.rawlook}").raw.look.lutPath == "/a.rawlook")
    let document = try document("schema: 1\nraw:\n  look: a.rawlook\n")
    #expect(document.migrated.isEmpty && document.problems().isEmpty)
    #expect(document.lines.line(of: RecipePath(keys: "raw", "lutPath")) == 3)
  }

  @Test func lutPathCountsWhereBothAreGiven() throws {
    #expect(
      try recipe("raw: {look: a.rawlook, lutPath: /b.cube}").raw.look.lutPath == "/b.cube")
    #expect(try recipe("raw: {look: a.rawlook, lutPath: null}").raw.look.lutPath == nil)
    #expect(try recipe("raw: {look: camera}").raw.look.base == .camera)
  }

  /// A stronger layer's look, or none, replaces a weaker one's.
  @Test func layersOverrideThem() throws {
    let weak = RecipeLayer(.folder, "a", values: ["raw": ["look": "/a.rawlook"]])
    func look(_ values: RecipeValue) throws -> LookSettings {
      try Recipe(LayeredRecipe([weak, RecipeLayer(.sidecar, "b", values: values)])).raw.look
    }
    #expect(try look(["raw": ["look": "/b.rawlook"]]).lutPath == "/b.rawlook")
    #expect(try look(["raw": ["lutPath": .null]]).lutPath == nil)
    #expect(try look([:]).lutPath == "/a.rawlook")
  }

  @Test func rulesTakeThem() throws {
    let document = try document(
      "rules:\n  - match: {camera: Canon*}\n    raw:\n      look: a.rawlook\n")
    #expect(
      document.values["rules"] == [
        ["match": ["camera": "Canon*"], "raw": ["lutPath": "a.rawlook"]]
      ])
    #expect(document.problems(isDefaults: true).isEmpty)
  }

  @Test func misspelledOnesAreRefusedWithTheLooks() {
    let error = #expect(throws: RecipeError.self) { try recipe("raw: {look: a.rawlok}") }
    #expect(error?.message.contains("camera") == true && error?.line == 1)
  }

  /// Both spellings are one setting for whoever edits the document.
  @Test func theyAreEdited() throws {
    let text = "# mine\nraw:\n  look: a.rawlook # the look\n  exposure: 1\n"
    func edited(_ key: String, _ value: RecipeValue?) throws -> RecipeDocument {
      let path = try folder.write(text, to: "r.yaml")
      try RecipeDocument.set(
        [RecipeDocument.Setting(RecipePath(keys: "raw", key), value)], in: Array(path.utf8))
      return try RecipeDocument(contentsOf: path)
    }
    #expect(try edited("exposure", 2).values["raw"] == ["lutPath": "a.rawlook", "exposure": 2])
    #expect(try edited("lutPath", nil).values["raw"] == ["exposure": 1])
    #expect(
      try edited("lutPath", "b.cube").values["raw"] == ["lutPath": "b.cube", "exposure": 1])
    #expect(
      try edited("look", "camera").values["raw"]
        == ["look": "camera", "lutPath": "a.rawlook", "exposure": 1])
  }

  @Test func theSchemaAllowsThem() {
    let look = RecipeSchema.raw["properties"]?["look"]
    #expect(look?["enum"] == nil)
    guard case .list(let ways)? = look?["anyOf"] else { return #expect(Bool(false)) }
    #expect(ways.last?["pattern"] == "(\\.rawlook|\\.cube|\\.png)$")
  }
}
