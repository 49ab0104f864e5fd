import RawFilter
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

@Suite struct NewRecipeTests {
  let files: TestFolder
  init() throws { files = try TestFolder() }

  private func write(
    _ name: String, _ values: [String: RecipeValue] = ["exposure": 0.5]
  ) throws -> FilePath {
    try NewRecipe(name: name, in: FilePath(files.path)).write(values)
  }

  @Test func isARecipeOfItsOwn() throws {
    let path = try write(" Evening light ", ["exposure": 0.5, "lutPath": "a.cube"])
    #expect(path == FilePath(files.file("Evening light.yaml")))
    let recipe = try Recipe(
      LayeredRecipe(RecipeLayer.recipes([RecipeDocument(contentsOf: path.string)])))
    #expect(recipe.raw.exposure == 0.5)
    #expect(try write("b.YML") == FilePath(files.file("b.YML")))
    #expect(try write("ä 日本") == FilePath(files.file("ä 日本.yaml")))
  }

  @Test(arguments: [
    "", "  ", ".yaml", ".hidden", "..", "../up", "/etc/x", "a/b", "a\\b", "c:x", "a\nb", "a\0b",
    "photo.CR2.rawdev", "photo.CR2.rawdev.yaml", "PHOTO.CR2.RAWDEV",
    String(repeating: "ä", count: 120),
  ]) func namesThatAreNoneAreRefused(name: String) throws {
    let error = #expect(throws: RecipeError.self) { try write(name) }
    #expect(error?.code == .badSetting && error?.message.contains("\n") == false)
    #expect(files.names == [])
  }

  @Test func neverReplacesAFile() throws {
    try files.write("mine", to: "a.yaml")
    let error = #expect(throws: RecipeError.self) { try write("a") }
    #expect(error?.code == .exists && error?.path == files.file("a.yaml"))
    #expect(files.names == ["a.yaml"])
  }

  @Test func valuesThatNoPropertyTakesAreRefused() throws {
    for values: [String: RecipeValue] in [["exposure": "x"], ["nonsense": 1], ["exposure": 1e9]] {
      #expect(throws: RecipeError.self) { try write("a", values) }
    }
    #expect(files.names == [])
  }
}
