import Foundation
import RawFilter
import Testing

@testable import Recipes

/// The table is complete, and the page in the repository is generated from it.
@Suite struct PropertyTableTests {
  @Test func pageIsUpToDate() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/properties.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8) == PropertyTable.markdown,
      "run: rawdev properties --markdown > Docs/properties.md")
  }

  @Test func everySettingIsInTheTable() {
    let settings = Mirror(reflecting: RAWSettings()).children.compactMap(\.label)
    #expect(Set(Adjustment.all.map(\.storageName)) == Set(settings))
    // Of those that store several, or one of another name, none lacks one.
    let look = Mirror(reflecting: LookSettings()).children.compactMap(\.label)
    let groups = ["base": 1, "mixer": 32, "grading": 14, "vignette": 4, "grain": 4]
    #expect(Set(look.filter { groups[$0] == nil }).isSubset(of: RAWProperty.all.map(\.name)))
    #expect(
      Adjustment.all.filter { $0.storageName == "look" }.count
        == look.count - groups.count + groups.values.reduce(0, +))
    #expect(Adjustment.all.filter { $0.storageName == "neutral" }.count == 7)
  }

  @Test func schemaSaysWhatTheCoderTakes() throws {
    struct Schema: Decodable {
      struct Value: Decodable {
        var type: [String]
        var minimum: Float?
      }
      var properties: [String: Value]
    }
    let schema = try JSONDecoder().decode(Schema.self, from: PropertyTable.schema)
    #expect(Set(schema.properties.keys) == Set(RAWProperty.all.map(\.name)))
    #expect(schema.properties["exposure"]?.minimum == -20)
    // Each property takes a value of its type, and none of another type.
    let samples = [
      "number": "1", "integer": "1", "boolean": "true", "string": "\"fast\"", "array": "[1, 1]",
    ]
    for (name, value) in schema.properties {
      let type = try #require(value.type.first)
      func settings(_ text: String) throws -> RAWSettings {
        try JSONDecoder().decode(RAWSettings.self, from: Data("{\"\(name)\": \(text)}".utf8))
      }
      let property = try #require(RAWProperty.named(name))
      let choice = (property.choices + [property.example]).first { !$0.isEmpty }.map { "\"\($0)\"" }
      _ = try settings(choice ?? #require(samples[type]))
      #expect(try settings("null") == RAWSettings())
      #expect(throws: (any Error).self) { try settings("{}") }
    }
  }

  /// The range equals the one of validation and of the filter's properties.
  @Test(arguments: RAWProperty.all.filter { $0.kind == .number })
  func valuesOutsideTheRangeAreErrorsOfTheirKey(property: RAWProperty) throws {
    let low = try #require(property.minimum)
    let high = try #require(property.maximum)
    for bad in ["\(low - 1)", "\(high + 1)", "1e30", ".nan", ".inf", "\"1\"", "[1]"] {
      let error = #expect(throws: RecipeError.self) {
        let document = try RecipeDocument(text: "raw:\n  \(property.name): \(bad)", path: "r.yaml")
        _ = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "r", document)]))
      }
      #expect(error?.path == "r.yaml" && error?.line == 2, "\(property.name): \(bad)")
    }
  }

  @Test func optionsAreKebabCase() {
    #expect(RAWProperty.named("isLensCorrectionEnabled")?.option == "lens-correction")
    #expect(RAWProperty.named("boostShadowAmount")?.option == "boost-shadow-amount")
    #expect(
      RAWProperty.named("exposure")?.help == "Exposure compensation, -20 to 20 stops. (default: 0)")
    #expect(RAWProperty.named("no such") == nil)
  }
}
