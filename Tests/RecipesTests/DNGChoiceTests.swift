import Foundation
import Testing

@testable import Recipes

/// DNG among the formats of recipes.
@Suite struct DNGChoiceTests {
  private func recipe(_ output: String) throws -> Recipe {
    let document = try RecipeDocument(text: "outputs: {archive: \(output)}")
    #expect(document.problems().isEmpty)
    return try Recipe(LayeredRecipe([RecipeLayer(.recipe, "r", document)]))
  }

  @Test func keysAreRead() throws {
    let output = try recipe(
      "{format: dng, dng: {samples: linear, bits: 16, compression: jpeg-xl, distance: 0.2, "
        + "effort: 7, preview: small, verifies: false}}"
    ).output
    #expect(output.format == .dng)
    #expect(output.dng.samples == .linear && output.dng.bits == .integers)
    #expect(output.dng.compression == .jpegXL && output.dng.distance == 0.2)
    #expect(output.dng.effort == 7 && output.dng.preview == .small)
    #expect(output.dng.verifies == false)
    #expect(output.coding == "linear, 16, jpeg-xl")
    #expect(try recipe("{format: dng}").output.coding == "stored samples, lossless-jpeg")
  }

  @Test(arguments: [
    "{format: dng, dng: {distance: 0.2}}", "{format: dng, metadata: noLocation}",
    "{format: dng, dng: {samples: scene, bits: 16}}",
    "{format: dng, dng: {samples: linear, compression: jpeg-xl, distance: 1}}",
    "{format: dng, iccProfile: a.icc}",
  ]) func contradictionsAreRefused(output: String) throws {
    #expect(throws: RecipeError.self) { try recipe(output).validate() }
  }

  /// IDs of files and journals of batches are the same as before DNGs were supported.
  @Test func othersDoNotNameIt() throws {
    var output = Recipe.Output()
    #expect(!(try output.canonicalText.contains("\"dng\"")))
    output.dng.samples = .scene
    let text = try output.canonicalText
    #expect(text.contains("\"dng\":{\"samples\":\"scene\"}"))
    #expect(try JSONDecoder().decode(Recipe.Output.self, from: Data(text.utf8)) == output)
  }
}
