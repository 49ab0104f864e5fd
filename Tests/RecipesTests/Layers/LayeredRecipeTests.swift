import Recipes
import Testing

@Suite struct LayeredRecipeTests {
  private func layer(
    _ text: String, _ kind: RecipeOrigin.Kind = .recipe, path: String = "r.yaml"
  ) throws -> RecipeLayer {
    RecipeLayer(kind, "\(kind.rawValue) \(path)", try RecipeDocument(text: text, path: path))
  }

  private func merged(_ texts: String...) throws -> RecipeValue {
    LayeredRecipe(try texts.map { try layer($0) }).values
  }

  @Test func absentKeysAreInherited() throws {
    #expect(
      try merged("raw: {exposure: 1, x: [1, 2]}", "raw: {x: [3]}", "zebra: {a: 1}").line
        == "{raw: {exposure: 1, x: [3]}, zebra: {a: 1}}")
    #expect(LayeredRecipe().values == .map([:]))
    #expect(LayeredRecipe().entries.isEmpty)
  }

  @Test func nullResets() throws {
    #expect(try merged("raw: {exposure: 1, a: 2}", "raw: {exposure: null}").line == "{raw: {a: 2}}")
    #expect(try merged("raw: {exposure: 1}", "raw: null").line == "{}")
    #expect(
      try merged("outputs: {web: {format: jpeg-sdr}, b: {}}", "outputs: {web: null}").line
        == "{outputs: {b: {}}}")
    // A value that a layer removed does not return with a stronger layer.
    #expect(
      try merged(
        "outputs: {web: {format: jpeg-sdr}}", "outputs: {web: null}", "outputs: {web: {quality: 1}}"
      )
      .line == "{outputs: {web: {quality: 1}}}")
  }

  @Test func whatADocumentSaysOfItselfIsNoValue() throws {
    #expect(
      try merged(
        "schema: 1\nname: n\ndescription: d\nextends: []\nroot: true\nrules: []\nraw: {a: 1}"
      )
      .line == "{raw: {a: 1}}")
  }

  @Test(arguments: [
    (
      ["neutralTemperature: 5000, neutralTint: 9", "neutralChromaticity: [0.3, 0.3]"],
      "{raw: {neutralChromaticity: [0.3, 0.3]}}"
    ),
    (
      ["neutralLocation: [1, 2], exposure: 1", "isAutomaticWhiteBalanceEnabled: true"],
      "{raw: {exposure: 1, isAutomaticWhiteBalanceEnabled: true}}"
    ),
    (["isAutomaticWhiteBalanceEnabled: true", "neutralTint: 3"], "{raw: {neutralTint: 3}}"),
    // The two belong together.
    (
      ["neutralTemperature: 5000, neutralTint: 9", "neutralTemperature: 6000"],
      "{raw: {neutralTemperature: 6000}}"
    ),
    // As shot.
    (["neutralTemperature: 5000, neutralTint: 9", "neutralLocation: null"], "{raw: {}}"),
    (
      ["neutralChromaticity: [0.3, 0.3]", "isAutomaticWhiteBalanceEnabled: false"],
      "{raw: {isAutomaticWhiteBalanceEnabled: false}}"
    ),
    (["neutralTint: 5", "exposure: 1"], "{raw: {exposure: 1, neutralTint: 5}}"),
  ])
  func waysOfNamingTheWhiteAreAlternatives(raws: [String], expected: String) throws {
    #expect(LayeredRecipe(try raws.map { try layer("raw: {\($0)}") }).values.line == expected)
  }

  @Test func everyValueHasItsOrigin() throws {
    let recipe = LayeredRecipe([
      try layer("raw:\n  exposure: 1\n  neutralTint: 4\n", .folder, path: "f.yaml"),
      try layer("raw:\n  exposure: 2\n", .recipe, path: "r.yaml"),
      try layer(
        "\nraw:\n  isAutomaticWhiteBalanceEnabled: true\n  exposure: null\n", .sidecar,
        path: "s.yaml"),
      RecipeLayer(
        .commandLine, "command line", values: .map(["outputs": .map(["web": .map([:])])])),
    ])
    let entries = recipe.entries
    #expect(
      entries.map(\.path.description)
        == ["outputs.web", "raw.exposure", "raw.isAutomaticWhiteBalanceEnabled"])
    #expect(entries[0].origin == RecipeOrigin(.commandLine, "command line"))
    #expect(entries[1].value == .null)
    #expect(entries[1].origin == RecipeOrigin(.sidecar, "sidecar s.yaml", path: "s.yaml", line: 4))
    #expect(entries[1].overridden.map(\.value) == [.number(1), .number(2)])
    #expect(entries[1].overridden.map(\.origin.line) == [2, 2])
    #expect(entries[2].overridden.map(\.path.description) == ["raw.neutralTint"])
    #expect(entries[2].overridden.first?.origin.kind == .folder)
    #expect(recipe.origin(of: RecipePath(keys: "raw", "exposure"))?.line == 4)
    #expect(recipe.origin(of: RecipePath(keys: "raw", "none"))?.kind == .sidecar)
    #expect(recipe.origin(of: RecipePath(keys: "none")) == nil)
  }

  @Test func aRemovedOutputIsListedAsOverridden() throws {
    let recipe = LayeredRecipe([
      try layer("outputs: {web: {format: jpeg-sdr, quality: 1}}"),
      try layer("outputs: {web: null}"),
      try layer("outputs: {web: {maxSize: 10}}"),
    ])
    #expect(recipe.entries.map(\.path.description) == ["outputs.web.maxSize"])
    #expect(recipe.entries[0].overridden.map(\.value.line) == ["jpeg-sdr", "1", "null"])
  }

  /// Random layers, of few keys so that they collide.
  private func random(_ seed: inout UInt64, depth: Int = 0) -> RecipeValue {
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let keys =
      depth == 0
      ? ["raw", "outputs", "x"]
      : [
        "a", "b", "neutralTemperature", "neutralTint", "neutralLocation",
        "isAutomaticWhiteBalanceEnabled",
      ]
    if depth > 0, next(depth == 1 ? 6 : 2) == 0 {
      return [.null, .number(Double(next(9))), .list([.number(1)]), .bool(false)][next(4)]
    }
    if depth > 2 { return .number(Double(next(9))) }
    return .map(
      Dictionary(
        (0..<next(4)).map { _ in (keys[next(keys.count)], random(&seed, depth: depth + 1)) },
        uniquingKeysWith: { $1 }))
  }

  /// The definition of merging without origins: layers one after another onto a plain tree.
  private func laid(_ layer: RecipeValue, on tree: RecipeValue, isRaw: Bool = false) -> RecipeValue
  {
    guard case .map(let above) = layer else { return layer }
    var result: [String: RecipeValue] = [:]
    if case .map(let below) = tree { result = below }
    let white = [
      "neutralTemperature", "neutralTint", "neutralLocation", "isAutomaticWhiteBalanceEnabled",
    ]
    if isRaw, above.keys.contains(where: white.contains) { for key in white { result[key] = nil } }
    for (key, value) in above {
      result[key] = laid(value, on: result[key] ?? .null, isRaw: key == "raw" && !isRaw)
    }
    return .map(result)
  }

  private func withoutNull(_ value: RecipeValue) -> RecipeValue {
    guard case .map(let map) = value else { return value }
    return .map(map.filter { $1 != .null }.mapValues(withoutNull))
  }

  @Test func mergingFollowsItsDefinition() {
    for start in 1...1500 as ClosedRange<UInt64> {
      var seed = start &* 977
      let layers = (0..<4).map { index in
        RecipeLayer(.recipe, "\(index)", values: random(&seed))
      }
      let merged = LayeredRecipe(layers)
      // White is merged so in the `raw` section only.
      let expected = layers.reduce(RecipeValue.map([:])) { laid($1.values, on: $0) }
      #expect(merged.values == withoutNull(expected))
    }
  }
}
