import Formats
import Testing

@testable import Recipes

@Suite struct OutputFormatNamesTests {
  @Test(arguments: [
    ("jpg", OutputFormat.jpegGainMap), ("JPG", .jpegGainMap), ("jpeg", .jpegGainMap),
    ("jpg-gainmap", .jpegGainMap), ("jpg-sdr", .jpeg), ("jpeg-sdr", .jpeg),
    ("tif", .tiff), ("tif-float", .tiffFloat), ("heic", .heifHLG), ("heif", .heifHLG),
    ("hif-pq", .heifPQ), ("heif-gainmap", .heicGainMap), ("heic-sdr", .heifSDR),
    ("jpeg-xl", .jxl), ("avif-hlg", .avifHLG),
  ])
  func extensionsStandForKinds(name: String, format: OutputFormat) {
    #expect(OutputFormat(name: name) == format)
  }

  /// A name is the file of that name.
  @Test func extensionsMeanTheFormatsOfTheirFiles() {
    for format in OutputFormat.allCases {
      for word in format.container.descriptor.extensions {
        #expect(OutputFormat(name: word) == OutputFormat(pathExtension: word))
      }
    }
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
    #expect(recipe.outputs["a"]?.format == .jpegGainMap && recipe.outputs["b"]?.format == .heifPQ)
    let wrong = try RecipeDocument(text: "outputs: {a: {format: gif}}")
    #expect(wrong.problems().count == 1)
  }
}
