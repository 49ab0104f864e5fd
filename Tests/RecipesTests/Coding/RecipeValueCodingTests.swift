import Foundation
import ImageCore
import ImageFilters
import RawFilter
import Testing

@testable import Recipes

/// A recipe converted to a tree of values and back is the same as by JSON, and errors carry their
/// path.
@Suite struct RecipeValueCodingTests {
  private static let recipes: [Recipe] = {
    var rich = Recipe()
    rich.raw.exposure = 0.1
    rich.raw.baselineExposure = -1.3
    rich.raw.profileName = "Camera \"Neutral\""
    rich.raw.neutral = .chromaticity(.d65)
    rich.raw.orientation = .init(rawValue: 6)
    rich.raw.frame.crop = CropArea(edges: [0, 0.125, 1, 0.9])
    rich.raw.frame.straightenAngle = -1.5
    rich.outputs["web"] = Recipe.Output()
    rich.outputs["web"]?.format = .jpegGainMap
    rich.outputs["web"]?.gainMap.channels = 3
    rich.outputs["web"]?.maxSize = 2048
    rich.outputs["web"]?.light.ambient = .init(lux: 5, color: .d65)
    rich.outputs["web"]?.light.contentVolume = .init(
      primaries: [.d65, .d65, .d65], minimumNits: 0, maximumNits: 400, averageNits: 12.5)
    var empty = Recipe()
    empty.outputs = [:]
    return [Recipe(), rich, empty]
  }()

  @Test(arguments: recipes.indices) func isWhatJSONWouldBe(index: Int) throws {
    let recipe = Self.recipes[index]
    let tree = try RecipeValueEncoder.encode(recipe)
    #expect(
      try tree == JSONDecoder().decode(RecipeValue.self, from: JSONEncoder().encode(recipe)))
    #expect(try Recipe(from: RecipeValueDecoder(tree)) == recipe)
  }

  @Test func nullAndAbsentAreTheDefault() throws {
    let tree = try RecipeDocument(text: "raw: {exposure: null, orientation: null}\nrender: null")
    #expect(try Recipe(from: RecipeValueDecoder(tree.values)) == Recipe())
  }

  @Test(arguments: [
    ("raw: {exposure: much}", "raw.exposure"),
    ("raw: {isDraftModeEnabled: 1}", "raw.isDraftModeEnabled"),
    ("raw: {orientation: 1.5}", "raw.orientation"), ("raw: [1]", "raw"),
    ("raw: {neutralLocation: [1, 2.5]}", "raw.neutralLocation[1]"),
    ("raw: {neutralLocation: [1]}", "raw.neutralLocation"),
    ("outputs: {web: {maxSize: 1.5}}", "outputs.web.maxSize"),
    ("outputs: {web: {format: gif}}", "outputs.web.format"),
    ("outputs: {web: {light: {ambient: {lux: 5}}}}", "outputs.web.light.ambient"),
    ("raw: {crop: {left: 0}}", "raw.crop"), ("raw: {crop: '1,2'}", "raw.crop"),
  ])
  func errorsCarryTheirPath(text: String, path: String) throws {
    let values = try RecipeDocument(text: text).values
    do {
      _ = try Recipe(from: RecipeValueDecoder(values))
      Issue.record("\(text) was taken")
    } catch let error as DecodingError {
      let context: DecodingError.Context? =
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): context
        case .keyNotFound(_, let context), .dataCorrupted(let context): context
        @unknown default: nil
        }
      #expect(RecipePath(context?.codingPath ?? []).description == path)
    }
  }

  @Test func settingsThatDoNotGoTogetherNameTheirKey() {
    func key(_ change: (inout Recipe) -> Void) -> String? {
      var recipe = Recipe()
      change(&recipe)
      do { try recipe.validate() } catch { return error.key?.description }
      return nil
    }
    #expect(key { $0.raw.exposure = .nan } == "raw.exposure")
    #expect(key { $0.raw.neutral = .location(.init(x: -1, y: 0)) } == "raw.neutralLocation")
    #expect(key { $0.raw.decoderVersion = .init(rawValue: "7") } == "raw.decoderVersion")
    #expect(key { $0.raw.frame.straightenAngle = 46 } == "raw.straightenAngle")
    #expect(key { $0.output.sdrBits = 9 } == "outputs.main.sdrBits")
    #expect(key { $0.output.hdrBits = 9 } == "outputs.main.hdrBits")
    #expect(key { $0.output.name = "{stam}" } == "outputs.main.name")
    #expect(key { $0.outputs = [:] } == "outputs")
  }

  @Test func whatIsNoNumberIsRefused() {
    var recipe = Recipe()
    recipe.raw.exposure = .infinity
    #expect(throws: EncodingError.self) { try RecipeValueEncoder.encode(recipe) }
  }
}
