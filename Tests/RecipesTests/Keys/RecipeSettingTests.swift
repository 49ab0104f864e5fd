import Testing

@testable import Recipes

/// The tables of settings, their coding and their options.
@Suite struct RecipeSettingTests {
  @Test func everyStoredPropertyHasARow() {
    let output = Mirror(reflecting: Recipe.Output()).children.compactMap(\.label)
    #expect(Recipe.Output.settings.map(\.name) == output)
    let rendering = Mirror(reflecting: Recipe.Rendering()).children.compactMap(\.label)
    #expect(Recipe.Rendering.settings.map(\.name) == rendering)
  }

  @Test func optionsHaveNamesOfTheirOwnAndHelp() {
    let options = Recipe.Output.settings.flatMap(\.options)
    #expect(Set(options.map(\.name)).count == options.count)
    #expect(options.allSatisfy { $0.help.contains("(default: ") })
  }

  @Test func optionsSetTheirValue() throws {
    func output(_ format: OutputFormat, _ values: [String: any Sendable]) -> Recipe.Output {
      var output = Recipe.Output()
      output.format = format
      for option in Recipe.Output.settings.flatMap(\.options) {
        if let value = values[option.name] { option.set(value, &output) }
      }
      return output
    }
    #expect(output(.heifHLG, ["format": OutputFormat.jxl]).format == .jxl)
    #expect(output(.jpeg, ["quality": Float(0.5)]).quality == 0.5)
    #expect(output(.heicGainMap, ["gain-map-channels": 3]).gainMap.channels == 3)
    // The depth follows from the dynamic range of the format.
    #expect(output(.heifSDR, ["bits": 8]).sdrBits == 8)
    #expect(output(.heifPQ, ["bits": 10]).sdrBits == 10)
    let avif = output(.avif, ["bits": 12])
    #expect(avif.hdrBits == 12 && avif.sdrBits == nil)
  }

  @Test(arguments: [-1, 101, Float.nan])
  func optionsSayWhatTheyTake(quality: Float) throws {
    let options = Recipe.Output.settings.flatMap(\.options)
    let option = try #require(options.first { $0.name == "quality" })
    #expect(option.refusal(quality) == "0 to 1, or a number up to 100 in percent")
    #expect(option.refusal(0.5 as Float) == nil)
    var output = Recipe.Output()
    option.set(85 as Float, &output)
    #expect(output.quality == 0.85)
    #expect(option.scope?.contains(output) == true)
    output.format = .png
    #expect(option.scope?.contains(output) == false)
    let bits = try #require(options.first { $0.name == "bits" })
    #expect(bits.refusal(9) == "8, 10, 12, 16 or 32")
  }
}
