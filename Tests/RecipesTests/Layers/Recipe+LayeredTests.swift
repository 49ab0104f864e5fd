import Formats
import Foundation
import RawFilter
import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeLayersTests {
  private func recipe(_ texts: String...) throws -> Recipe {
    try Recipe(
      LayeredRecipe(
        try texts.enumerated().map { index, text in
          RecipeLayer(.recipe, "\(index)", try RecipeDocument(text: text, path: "\(index).yaml"))
        }))
  }

  private func failure(_ text: String) -> RecipeError? {
    do {
      _ = try recipe("raw: {}", text)
      return nil
    } catch { return error as? RecipeError }
  }

  @Test func becomesTheTypedRecipe() throws {
    #expect(try Recipe(LayeredRecipe()) == Recipe())
    let made = try recipe(
      "raw: {exposure: 0.1, neutralTemperature: 5000, x: 1}\noutputs: {a: {format: tiff}, b: {}}",
      """
      raw: {isAutomaticWhiteBalanceEnabled: true, decoderVersion: 1}\nrender: {angle: \
      1.5}\noutputs: {b: null}
      """
    )
    var wanted = Recipe()
    wanted.raw.exposure = 0.1
    wanted.raw.neutral = .automatic
    wanted.raw.decoderVersion = .version1
    wanted.raw.frame.straightenAngle = 1.5
    wanted.outputs = ["a": Recipe.Output()]
    wanted.output.format = .tiff
    #expect(made == wanted)
    #expect(try recipe("outputs: {a: {chroma: 444}}").output.chroma == .yuv444)
    #expect(try recipe("outputs: {a: {format: jpeg-sdr}}", "outputs: null") == Recipe())
  }

  @Test(arguments: [
    ("raw:\n  exposure: 30\n", 2, "exposure"), ("outputs: {}\n", 1, "outputs"),
    ("outputs:\n  a: null\n", 1, "outputs"),
    ("raw:\n  neutralChromaticity: [0.8, 0.7]\n", 2, "neutralChromaticity"),
    ("raw:\n  exposure: 1\n  neutralLocation: [-1, 5]\n", 3, "neutralLocation"),
    ("render:\n  angle: 0\n  crop: [0.5, 0, 0.5, 1]\n", 3, "crop"),
    ("outputs:\n  web:\n    format: jpeg-sdr\n    thumbnail: 100\n", 4, "thumbnail"),
    ("outputs:\n  web:\n    format: jpeg-sdr\n    gainMap: {base: pq}\n", 4, "gain map"),
    (
      "outputs:\n  web:\n    format: jpeg-sdr\n    light: {diffuseWhiteNits: 203}\n", 4,
      "diffuse white"
    ),
    ("outputs:\n  web:\n    light:\n      ambient: {lux: 5}\n", 4, "color"),
    ("outputs:\n  web:\n    format: jpeg-sdr\n    name: \"../{stem}\"\n", 4, "template"),
    ("outputs:\n  web:\n    name: \"{stam}\"\n", 3, "{stam}"),
    ("outputs:\n  web:\n    quality: 0.5\n    sdrBits: 16\n", 4, "bits"),
    ("raw:\n  neutralTint: 1\n  neutralLocation: [1, 1]\n", 3, "several ways"),
  ])
  func errorsNameDocumentAndLine(text: String, line: Int, word: String) {
    let error = failure(text)
    #expect(error?.code == .badSetting)
    #expect(error?.path == "1.yaml")
    #expect(error?.line == line)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test func profilesAreFoundBesideTheirDocument() throws {
    let folder = try TestFolder()
    let path = try folder.write("raw: {profilePath: p/my.dcp}", to: "sub/r.yaml")
    let layers = LayeredRecipe([RecipeLayer(.recipe, "r", try RecipeDocument(contentsOf: path))])
    #expect(try Recipe(layers).raw.profilePath == folder.path + "/sub/p/my.dcp")
    #expect(try recipe("raw: {profilePath: p/my.dcp}").raw.profilePath == "p/my.dcp")
    #expect(try recipe("raw: {profilePath: /p/my.dcp}").raw.profilePath == "/p/my.dcp")
  }

  @Test func valuesComeBack() throws {
    var recipe = Recipe()
    recipe.raw.exposure = 0.9
    recipe.output.quality = 0.1
    let values = try recipe.values
    // The decimal number, not the Double nearest to the Float.
    #expect(values[RecipePath(keys: "raw", "exposure")] == .number(0.9))
    let layer = RecipeLayer(.recipe, "values", values: values)
    #expect(try Recipe(LayeredRecipe([layer])) == recipe)
    recipe.raw.exposure = .nan
    #expect(throws: RecipeError.self) { try recipe.values }
  }
}
