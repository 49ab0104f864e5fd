import Foundation
import RawFilter
import Testing

@testable import Recipes

/// The table of keys agrees with the typed recipe.
@Suite struct RecipeKeyTests {
  /// A value that the key takes and that is not the default.
  static func sample(_ key: RecipeKey) -> RecipeValue {
    func inside() -> RecipeValue {
      let low = key.minimum ?? 0
      let high = key.maximum ?? low + 8
      let value = key.kind == .integer ? ((low + high) / 2).rounded() : low + (high - low) * 0.75
      return .number(value)
    }
    let point = RecipeValue.map(["x": .number(0.25), "y": .number(0.5)])
    if let choice = key.choices.last(where: { $0 != key.standard }) ?? key.choices.last {
      return key.kind == .text ? .text(choice) : .number(Double(choice) ?? 0)
    }
    switch key.kind {
    case .number, .integer: return inside()
    case .toggle: return .bool(key.standard != "on")
    case .text:
      let example = RAWProperty.named(key.name)?.example ?? ""
      return .text(example.isEmpty ? "{stem}-x" : example)
    case .numbers where key.count == 4: return .list([0.125, 0.25, 0.5, 0.75].map { .number($0) })
    case .numbers where key.count == nil: return .list([0, 0.25, 1, 0.75].map { .number($0) })
    case .numbers: return .list([.number(0.25), .number(0.375)])
    case .integers: return .list([.number(40), .number(30)])
    case .point: return point
    case .points: return .list([point, point, point])
    default: return .null
    }
  }

  /// The keys that are required with a key.
  private func companions(_ key: RecipeKey) -> [RecipeKey] {
    let groups = [
      "outputs.*.light.contentLight.", "outputs.*.light.masteringDisplay.",
      "outputs.*.light.ambient.",
    ]
    guard let group = groups.first(where: key.path.hasPrefix) else { return [] }
    return RecipeKey.effective.filter { $0.path.hasPrefix(group) }
  }

  @Test(arguments: RecipeKey.effective)
  func everyKeyIsReadAndWritten(key: RecipeKey) throws {
    var values = RecipeValue.map([:])
    for each in companions(key) {
      values[each.path(output: "main")] = Self.sample(each)
    }
    let path = key.path(output: "main")
    let value = Self.sample(key)
    values[path] = value
    // Settings that need a certain format.
    if key.path.contains(".gainMap.") {
      values[RecipePath(keys: "outputs", "main", "format")] = "avif-gainmap"
    }
    if ["sdrBits", "iccProfile"].contains(key.name) {
      values[RecipePath(keys: "outputs", "main", "format")] = "png-sdr"
    }
    let layers = LayeredRecipe([RecipeLayer(.recipe, "test", values: values)])
    #expect(layers.problems.isEmpty)
    let recipe = try Recipe(layers)
    #expect(try recipe.values[path] == value)
    #expect(recipe != Recipe() || key.choices == [key.standard])
    // Null is the default.
    let reset = RecipeLayer(.sidecar, "reset", values: RecipeValue.nested(.null, at: path))
    if companions(key).isEmpty {
      let again = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "test", values: values), reset]))
      let absent = try Recipe().values[path]
      #expect(try again.values[path] == absent)
    }
  }

  @Test(arguments: RecipeKey.effective)
  func everyKeyRefusesWhatItDoesNotTake(key: RecipeKey) {
    var wrong: [RecipeValue] = [.list([.map([:])]), .number(.nan), .number(1e300)]
    if key.kind != .toggle { wrong.append(.bool(true)) }
    if key.kind != .text || !key.choices.isEmpty { wrong.append(.text("certainly not")) }
    if key.kind != .point { wrong.append(.map(["x": .number(0)])) }
    if let minimum = key.minimum, key.kind != .numbers { wrong.append(.number(minimum - 1)) }
    if let maximum = key.maximum, key.kind != .numbers { wrong.append(.number(maximum + 1)) }
    if key.kind == .integer { wrong.append(.number((key.minimum ?? 0) + 0.5)) }
    for value in wrong {
      let path = key.path(output: "web")
      let layers = LayeredRecipe([
        RecipeLayer(.commandLine, "command line", values: RecipeValue.nested(value, at: path))
      ])
      #expect(
        layers.problems.contains { $0.severity == .error && $0.key.hasPrefix("\(path)") },
        "\(value)")
      #expect(throws: RecipeError.self) { try Recipe(layers) }
    }
  }

  @Test func defaultsAreThoseOfTheTypedRecipe() throws {
    let standard = try Recipe().values
    for key in RecipeKey.effective where key.standardValue != nil {
      let value = standard[key.path(output: Recipe.onlyOutput)]
      // A setting that follows the file or the format is not written.
      #expect(value == nil || value == key.standardValue, "\(key.path)")
    }
  }

  /// Every value that the typed recipe writes is in the table.
  @Test func everySettingIsInTheTable() throws {
    func check(_ value: RecipeValue, _ path: RecipePath) {
      if let tree = KeyTree.recipe[path], tree.key == nil, case .map(let map) = value {
        for (key, inner) in map { check(inner, path.appending(key)) }
      } else {
        #expect(RecipeKey.at(path) != nil, "\(path)")
      }
    }
    check(try Recipe().values, RecipePath())
    let names = Mirror(reflecting: Recipe.Output()).children.compactMap(\.label)
    for name in names {
      #expect(KeyTree.recipe[RecipePath(keys: "outputs", "a", name)] != nil, "\(name)")
    }
    for name in Mirror(reflecting: Recipe.Rendering()).children.compactMap(\.label) {
      #expect(RecipeKey.at(RecipePath(keys: "render", name)) != nil, "\(name)")
    }
  }

  @Test(arguments: [
    ("abc", "abc", 0), ("abc", "acb", 1), ("", "abc", 3), ("kitten", "sitting", 3),
    ("exposur", "exposure", 1),
  ])
  func editsAreCounted(a: String, b: String, edits: Int) {
    #expect(KeySuggestion.edits(a, b) == edits)
    #expect(KeySuggestion.edits(b, a) == edits)
  }
}

extension RecipeValue {
  /// A map with one value, at `path`.
  static func nested(_ value: RecipeValue, at path: RecipePath) -> RecipeValue {
    var map = RecipeValue.map([:])
    map[path] = value
    return map
  }
}
