import Formats
import Foundation
import RawFilter
import Testing

@testable import Recipes

@Suite struct RecipeMigrationTests {
  /// As the Codable format before `outputs` wrote it.
  private let old = #"""
    {"raw": {"exposure": 0.5, "extendedDynamicRangeAmount": 0, "mine": [1]},
     "extendedDynamicRangeAmount": 0.75,
     "output": {"format": "jpeg-gainmap", "quality": 0.8, "other": {"a": null}},
     "studio": {"id": "x"}}
    """#

  @Test func oldRecipesMeanTheSame() throws {
    let document = try RecipeDocument(text: old, path: "old.json")
    #expect(
      document.values.line
        == "{outputs: {main: {format: jpeg-gainmap, other: {a: null}, quality: 0.8}}, "
        + "raw: {exposure: 0.5, extendedDynamicRangeAmount: 0.75, mine: [1]}, studio: {id: x}}"
    )
    #expect(document.migrated.count == 3)
    let recipe = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "old", document)]))
    #expect(recipe.outputs.keys.sorted() == ["main"])
    #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == 0.75)
    // Lines move with their keys.
    #expect(document.lines.line(of: RecipePath(keys: "outputs", "main", "quality")) == 3)
  }

  /// The frame was next to the development.
  @Test func framesMove() throws {
    let document = try RecipeDocument(
      text: "schema: 1\nrender:\n  crop: [0.1, 0.2, 0.9, 0.7]\n  angle: -1.5\n  headroomLimit: 2")
    #expect(
      document.values.line
        == #"{raw: {crop: "10%,20%,80%,50%", straightenAngle: -1.5}, render: {headroomLimit: 2}, "#
        + "schema: 1}")
    #expect(document.lines.line(of: RecipePath(keys: "raw", "straightenAngle")) == 4)
    #expect(document.migrated.count == 2)
    let null = try RecipeDocument(text: "schema: 1\nrender: {crop: null}")
    #expect(null.values == .map(["schema": 1, "raw": .map(["crop": .null])]))
    let layers = [document, null].map { RecipeLayer(.recipe, "old", $0) }
    let recipe = try Recipe(LayeredRecipe(layers))
    #expect(recipe.raw.frame.crop == nil)
    #expect(recipe.raw.frame.straightenAngle == -1.5)
  }

  /// A key with a former name is read, in rules and in memory, too, and keeps its line.
  @Test func formerNamesMeanTheSame() throws {
    let text = """
      schema: 1
      outputs:
        a:
          format: tiff
          tiffSpace: adobe-rgb
        b: {tiffSpace: srgb, colorSpace: bt2020}
      rules:
        - match: {iso: 100}
          outputs:
            a: {tiffSpace: srgb}
      """
    let document = try RecipeDocument(text: text, path: "a.yaml")
    let key = RecipePath(keys: "outputs", "a", "colorSpace")
    #expect(document.values[key] == "adobe-rgb" && document.lines.line(of: key) == 5)
    #expect(document.values[RecipePath(keys: "outputs", "b", "colorSpace")] == "bt2020")
    #expect(document.migrated.map(\.message).contains("tiffSpace is now colorSpace"))
    #expect(!document.values.line.contains("tiffSpace") && document.migrated.count == 3)
    let recipe = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "a", document)]))
    #expect(recipe.outputs["a"]?.colorSpace == .adobeRGB)
    // The stronger layer counts, whichever name it uses.
    let stronger = RecipeLayer(
      .commandLine, "--set", values: ["outputs": ["a": ["tiffSpace": "srgb"]]])
    let both = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "a", document), stronger]))
    #expect(both.outputs["a"]?.colorSpace == .sRGB)
  }

  @Test func anAmountInRawHadNoEffect() throws {
    let text = #"{"raw": {"extendedDynamicRangeAmount": 0}, "output": {"format": "heif-hlg"}}"#
    let recipe = try Recipe(
      LayeredRecipe([RecipeLayer(.recipe, "old", try RecipeDocument(text: text))]))
    #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == 1)
    let null = try RecipeDocument(text: #"{"extendedDynamicRangeAmount": null, "output": {}}"#)
    #expect(null.values == .map(["outputs": .map(["main": .map([:])])]))
  }

  @Test(arguments: [
    "{schema: 0}", "{schema: 0, output: {a: 1}, x: 1}", "{extendedDynamicRangeAmount: 1}", "{}",
    "{raw: {extendedDynamicRangeAmount: 1}}", "{output: 5, raw: 6}",
    "{output: {a: 1}, outputs: {b: {}}}",
    "{schema: 1, output: {a: 1}}", "{raw: 6, render: {angle: 1}}",
    "{render: {angle: 1, x: 1}, raw: {exposure: 1}}",
  ])
  func isIdempotentAndLosesNothing(text: String) throws {
    let document = try RecipeDocument(text: text)
    let written = document.newestForm
    let again = try RecipeDocument(text: written.yaml)
    #expect(again.migrated.isEmpty)
    #expect(again.newestForm == written)
    #expect(RecipeMigration(again.values).changes.isEmpty)
    #expect(written["schema"] == .number(1))
    // No value is lost.
    func leaves(_ value: RecipeValue) -> [String] {
      if case .map(let map) = value { return map.values.flatMap(leaves).sorted() }
      return [value.line]
    }
    let (before, _) = try DocumentReader.read(text, path: nil)
    let found = leaves(written)
    for leaf in leaves(before) where leaf != "0" && leaf != "6" { #expect(found.contains(leaf)) }
  }

  @Test func newRecipesAreLeftAlone() throws {
    for recipe in BundledRecipe.all {
      let document = try recipe.document
      #expect(document.migrated.isEmpty)
      #expect(document.newestForm == document.values)
    }
    let document = try RecipeDocument(text: "schema: 1\noutput: {}\n")
    #expect(document.migrated.isEmpty)
    #expect(document.values["output"] != nil)
  }

  @Test func problemsSayHowToMigrate() throws {
    let problems = try RecipeDocument(text: old, path: "old.json").problems()
    #expect(
      problems.contains { $0.message.contains("to the new form") && $0.severity == .warning })
    #expect(!problems.contains { $0.severity == .error })
  }
}
