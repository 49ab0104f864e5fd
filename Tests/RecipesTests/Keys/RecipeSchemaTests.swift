import Testing

@testable import Recipes

@Suite struct RecipeSchemaTests {
  private func refusal(_ value: RecipeValue) -> String? {
    JSONSchemaChecker.refusal(value, RecipeSchema.document)
  }

  private func refusal(_ text: String) throws -> String? {
    refusal(try RecipeDocument(text: text).values)
  }

  @Test func acceptsEveryRecipeThatComesWithUs() throws {
    for recipe in BundledRecipe.all { #expect(refusal(try recipe.document.values) == nil) }
    #expect(try refusal(RecipeStarter.text) == nil)
    #expect(refusal(try Recipe().values) == nil)
    #expect(try refusal("") == nil)
  }

  @Test func acceptsWhatDocumentsMayHold() throws {
    let text = """
      extends: web
      root: true
      rules:
      - {match: {camera: "*", iso: [100, null]}, raw: {exposure: 1}, outputs: {a: {quality: 1}}}
      - {match: {iso: 100}}
      raw: null
      outputs: {a: null, b: {chroma: 420, mine: 1}}
      studio: [1, {a: b}]
      """
    #expect(try refusal(text) == nil)
    #expect(refusal(["raw": ["look": "my.rawlook"]]) == nil)
    #expect(refusal(["raw": ["look": "my.rawlok"]]) != nil)
  }

  /// The schema and the reader agree on every key.
  @Test(arguments: RecipeKey.effective)
  func agreesWithTheReader(key: RecipeKey) {
    let path = key.path(output: "web")
    let values: [RecipeValue] = [
      RecipeKeyTests.sample(key), .null, .bool(true), .number(0), .number(1), .number(1.5),
      .number(-1000),
      .number(1e7), .text("x"), .text("fast"), .text("420"), .number(420), .number(10), .list([]),
      .list([.number(0), .number(1)]), .list([.number(0), .number(1), .number(1), .number(0.5)]),
      .list([.text("a")]), .map([:]), .map(["x": .number(0.5), "y": .number(2)]),
      .map(["x": .number(0.5), "y": .number(0.5)]),
    ]
    for value in values {
      let recipe = RecipeValue.nested(value, at: path)
      let isRefused = RecipeCheck(recipe).findings.contains { $0.severity == .error }
      #expect((refusal(recipe) != nil) == isRefused, "\(value)")
    }
  }

  @Test(arguments: [
    "raw: [1]", "outputs: {web: 1}", "schema: one", "schema: 3.5", "extends: [1]", "root: maybe",
    "rules: {}",
    "rules: [{raw: {}}]", "rules: [{match: {iso: [1]}}]", "rules: [{match: {camera: 1}}]",
    "rules: [{match: {}, raw: {exposure: x}}]",
  ])
  func refusesWhatTheReaderRefuses(text: String) throws {
    let (values, _) = try DocumentReader.read(text, path: nil)
    #expect(refusal(values) != nil)
  }

  @Test func partOfTheDevelopmentIsTheSame() {
    #expect(
      RecipeSchema.raw["properties"] == RecipeSchema.document["properties"]?["raw"]?["properties"])
  }
}
