import Testing

@testable import Recipes

@Suite struct OutputPresetTests {
  @Test(arguments: OutputPreset.all) func eachIsAnOutput(preset: OutputPreset) throws {
    var options = preset.options
    options["format"] = .text(preset.format.rawValue)
    let layers = LayeredRecipe([
      RecipeLayer(
        .recipe, "preset", values: .map(["outputs": .map(["main": .map(options)])]))
    ])
    #expect(layers.problems.isEmpty)
    let recipe = try Recipe(layers)
    try recipe.validate()
    #expect(recipe.output.format == preset.format && preset.format.isDeveloped)
    #expect(recipe.output.isHDR == preset.title.contains("H"))
  }

  @Test func namesAreUnique() {
    #expect(Set(OutputPreset.all.map(\.id)).count == OutputPreset.all.count)
    #expect(Set(OutputPreset.all.map(\.title)).count == OutputPreset.all.count)
  }
}
