import Formats
import Recipes
import Testing
import Writers

@testable import Develop

@Suite struct RecipeExporterTests {
  /// Every format has a writer, with the space and the bits of the recipe.
  @Test(arguments: OutputFormat.allCases.filter(\.isDeveloped))
  func everyFormatHasAWriter(format: OutputFormat) throws {
    var output = Recipe.Output()
    output.format = format
    let writer = try PictureWriters.writer(of: output.encoding, workers: 1)
    #expect(type(of: writer).containers.contains(format.container))
    let settings = output.encoding
    #expect(settings.space == output.space && settings.hasGainMap == format.hasGainMap)
    #expect(settings.quality == nil && settings.container == format.container)
    output.quality = 0.9
    #expect(output.encoding.codedQuality == 0.9)
  }

  /// A DNG is not an encoded picture: the only message gives the next step.
  @Test func dngsAreRefusedByTheEncoders() {
    var output = Recipe.Output()
    output.format = .dng
    let error = #expect(throws: WriteError.self) {
      _ = try PictureWriters.writer(of: output.encoding)
    }
    #expect(error?.code == .badSetting && error?.message.contains("raw input") == true)
  }
}
