import RawFilter
import Testing

@testable import Recipes

@Suite struct BundledLookTests {
  private static func recipe(_ look: BundledLook) throws -> Recipe {
    try Recipe(LayeredRecipe(RecipeLayer.recipes([look.document])))
  }

  @Test(arguments: BundledLook.all) func eachIsARecipe(look: BundledLook) throws {
    let document = try RecipeChain.document(named: look.recipeName)
    #expect(document.values["name"] == .text(look.title))
    #expect(document.values["raw"] == .map(look.values))
    #expect(document.problems(isDefaults: false).isEmpty)
    #expect(look.summary.hasSuffix(".") && look.summary.count < 60)
    #expect(try Self.recipe(look).raw != RAWSettings())
  }

  @Test func namesAreUnique() {
    #expect(Set(BundledLook.all.map(\.name)).count == BundledLook.all.count)
    #expect(Set(BundledLook.all.map(\.title)).count == BundledLook.all.count)
  }

  /// Exposure, tone and white belong to the picture, and automatic adjustment sets them.
  @Test(arguments: BundledLook.all) func noneSetsWhatAutomaticAdjustmentSets(look: BundledLook) {
    let others = Set(AutoAdjustment.names).union(LayeredRecipe.whiteKeys).union(["look"])
    #expect(others.isDisjoint(with: look.values.keys))
  }

  /// One chosen after another is as chosen alone.
  @Test func nothingOfTheLookBeforeIsLeft() throws {
    let keys = Set(BundledLook.all.flatMap(\.values.keys))
    for look in BundledLook.all {
      #expect(Set(look.completeValues.keys) == keys)
      let all = LayeredRecipe([
        RecipeLayer(.recipe, "look", values: .map(["raw": .map(look.completeValues)]))
      ])
      #expect(try Recipe(all).raw == Self.recipe(look).raw, "\(look.title)")
    }
  }

  @Test func unknownNamesNameTheKnown() {
    let error = #expect(throws: RecipeError.self) { try RecipeChain.document(named: "look:vivd") }
    #expect(error?.code == .cannotRead && error?.message.contains("look:vivid") == true)
  }
}
