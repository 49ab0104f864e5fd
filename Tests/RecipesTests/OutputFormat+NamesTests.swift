import Formats
import Testing

@testable import Recipes

@Suite struct OutputFormatNamesTests {
  @Test(arguments: [
    ("jpg", OutputFormat.jpeg), ("JPG", .jpeg), ("jpeg", .jpeg), ("jpg-gainmap", .jpegGainMap),
    ("tif", .tiff), ("tif-float", .tiffFloat), ("heic", .heifHLG), ("heif", .heifHLG),
    ("hif-pq", .heifPQ), ("heif-gainmap", .heicGainMap), ("heic-sdr", .heifSDR),
    ("jpeg-xl", .jxl), ("avif-hlg", .avifHLG),
  ])
  func extensionsStandForKinds(name: String, format: OutputFormat) {
    #expect(OutputFormat(name: name) == format)
  }

  /// No alias hides a name, and an extension alone is its own container's.
  @Test func aliasesAreUnambiguous() {
    for format in OutputFormat.allCases {
      #expect(OutputFormat(name: format.rawValue) == format)
      #expect(OutputFormat.aliases[format.rawValue] == nil)
      for word in format.container.descriptor.extensions {
        #expect(OutputFormat(name: word)?.container == format.container)
      }
    }
    for name in ["", "-", "gif", "jpg-pq", "jpg-"] { #expect(OutputFormat(name: name) == nil) }
  }

  @Test func recipesTakeThem() throws {
    let document = try RecipeDocument(text: "outputs: {a: {format: jpg}, b: {format: heic-pq}}")
    #expect(document.problems().isEmpty)
    let recipe = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "r", document)]))
    #expect(recipe.outputs["a"]?.format == .jpeg && recipe.outputs["b"]?.format == .heifPQ)
    let wrong = try RecipeDocument(text: "outputs: {a: {format: gif}}")
    #expect(wrong.problems().count == 1)
  }
}
