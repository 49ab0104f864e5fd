import Testing

@testable import Recipes

@Suite struct RecipeDifferenceTests {
  private func difference(_ a: String, _ b: String) throws -> [String] {
    func layers(_ text: String) throws -> LayeredRecipe {
      LayeredRecipe([RecipeLayer(.recipe, "r", try RecipeDocument(text: text))])
    }
    return try RecipeDifference.all(from: layers(a), to: layers(b)).map(\.description)
  }

  @Test func tellsWhatChanges() throws {
    #expect(
      try difference("raw: {exposure: 1}", "raw: {exposure: 1.5}") == ["raw.exposure: 1 → 1.5"])
    #expect(
      try difference("raw: {neutralTint: 4}", "raw: {isAutomaticWhiteBalanceEnabled: true}") == [
        "raw.isAutomaticWhiteBalanceEnabled: default → true", "raw.neutralTint: 4 → default",
      ])
    #expect(try difference("studio: {a: 1}", "studio: {a: 2}") == ["studio.a: 1 → 2"])
    let outputs = try difference("outputs: {a: {}}", "outputs: {a: {}, b: {format: jpeg-sdr}}")
    #expect(outputs.count == 1)
    #expect(outputs[0].hasPrefix("outputs.b: default → {format: jpeg-sdr"))
  }

  @Test func whatIsTheSameByDefaultIsNoDifference() throws {
    #expect(try difference("raw: {exposure: 0, baselineExposure: null}", "") == [])
    #expect(try difference("outputs: {main: {format: heif-hlg, chroma: 420}}", "") == [])
    for recipe in BundledRecipe.all { #expect(try difference(recipe.text, recipe.text) == []) }
  }
}
