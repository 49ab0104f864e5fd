import RawFilter
import Recipes
import TestSupport
import Testing

@testable import Tuning

@Suite struct LookLibraryTests {
  private let files: TestFolder
  private let looks: LookLibrary
  init() throws {
    files = try TestFolder()
    looks = LookLibrary(RecipeFolder(path: Array(files.file("a/recipes").utf8)))
  }

  private func own() -> [Look] { looks.all().filter { $0.kind != .builtIn } }

  @Test func thoseOfTheProgramComeFirst() throws {
    let all = looks.all()
    #expect(all.map(\.title) == BundledLook.all.map(\.title))
    #expect(all.allSatisfy { $0.kind == .builtIn && $0.problem == nil && !$0.values.isEmpty })
    #expect(LookLibrary(nil).all() == all)
    #expect(throws: RecipeError.self) {
      try LookLibrary(nil).save(["vibrance": 0.5], title: "a")
    }
  }

  @Test func oneIsSavedReplacedAndRemoved() throws {
    try looks.save(["vibrance": 0.5, "exposure": 0.3], title: "Evening, warm")
    let look = try #require(own().first)
    #expect(own().count == 1 && look.title == "Evening, warm" && look.kind == .saved)
    #expect(look.values == ["vibrance": 0.5, "exposure": 0.3] && look.problem == nil)
    try looks.save(["vibrance": 0.1], title: "Evening, warm")
    #expect(own().map(\.values) == [["vibrance": 0.1]])
    // A recipe like any other.
    let document = try RecipeDocument(contentsOf: files.file("a/recipes/Evening, warm.yaml"))
    #expect(try Recipe(LayeredRecipe(RecipeLayer.recipes([document]))).raw.look.vibrance == 0.1)
    try looks.remove(look.id)
    #expect(own().isEmpty)
    let error = #expect(throws: RecipeError.self) { try looks.remove(look.id) }
    #expect(error?.code == .cannotRead)
  }

  @Test func whatBelongsToThePictureIsLeftOut() throws {
    try looks.save(
      [
        "contrast": 0.1, "crop": "0%,0%,50%,50%", "neutralLocation": [3, 4], "orientation": 6,
        "straightenAngle": 3, "scaleFactor": 0.5, "lutPath": "/a/b.cube", "profileName": "x",
        "frameNumber": 2, "baselineExposure": 1, "saturation": .null, "look": "a.rawlook",
        "isDraftModeEnabled": .bool(true),
      ] as [String: RecipeValue], title: "a")
    #expect(own().map(\.values) == [["contrast": 0.1]])
    let error = #expect(throws: RecipeError.self) {
      try looks.save(["orientation": 6], title: "b")
    }
    #expect(error?.code == .badSetting && own().count == 1)
  }

  @Test func recipesOfOthersAreListedAndNeverReplaced() throws {
    let text = "name: Mine\nextends: look:faded\nraw: {exposure: 1, cropAspect: \"16:9\"}\n"
    try files.write(text, to: "a/recipes/mine.yaml")
    try files.write("outputs: {web: {format: jpeg-sdr}}\n", to: "a/recipes/web.yaml")
    try files.write("raw: {exposure: 99}\n", to: "a/recipes/wrong.yaml")
    #expect(own().map(\.title) == ["Mine", "wrong"])
    #expect(own()[0].kind == .recipe && own()[0].values["exposure"] == 1)
    #expect(own()[0].values["saturation"] == -0.2 && own()[0].values["cropAspect"] == nil)
    #expect(own()[1].problem?.contains("exposure") == true && own()[1].values.isEmpty)
    let error = #expect(throws: RecipeError.self) {
      try looks.save(["vibrance": 1], title: "mine")
    }
    #expect(error?.code == .exists)
    #expect(throws: RecipeError.self) { try looks.remove("file:mine.yaml") }
    for id in ["look:vivid", "file:../mine.yaml", "file:", ""] {
      #expect(throws: RecipeError.self) { try looks.remove(id) }
    }
    #expect(files.names == ["a"] && own().count == 2)
  }

  @Test(arguments: ["", "a/b", "../a", ".a", "a\nb"]) func titlesThatNameNoFileAreRefused(
    title: String
  ) {
    let error = #expect(throws: RecipeError.self) { try looks.save(["vibrance": 1], title: title) }
    #expect(error?.code == .badSetting && own().isEmpty)
  }
}
