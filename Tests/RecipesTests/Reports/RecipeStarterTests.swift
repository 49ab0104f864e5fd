import Testing

@testable import Recipes

@Suite struct RecipeStarterTests {
  private var withKeys: String {
    RecipeStarter.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("#") ? $0.dropFirst() : $0 }.joined(separator: "\n")
  }

  @Test func nothingIsSet() throws {
    #expect(try RecipeDocument(text: RecipeStarter.text).values.line == "{schema: 1}")
  }

  @Test func uncommentedKeysChangeNothing() throws {
    let document = try RecipeDocument(text: withKeys, path: "init.yaml")
    #expect(document.problems().isEmpty)
    #expect(JSONSchemaChecker.refusal(document.values, RecipeSchema.document) == nil)
    #expect(try Recipe(LayeredRecipe([RecipeLayer(.recipe, "init", document)])) == Recipe())
    for key in RecipeKey.effective where !key.path.contains(".light.") {
      #expect(document.values[key.path(output: "main")] != nil, "\(key.path)")
    }
  }
}
