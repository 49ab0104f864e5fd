import Testing

@testable import Recipes

private let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")

@Suite struct RecipeCheckTests {
  private func problems(_ text: String, isDefaults: Bool = false) throws -> [String] {
    try RecipeDocument(text: text, path: "a.yaml").problems(isDefaults: isDefaults).map(
      \.description)
  }

  @Test(arguments: [
    (
      "raw:\n  exposure: 99",
      "a.yaml:2: error: raw.exposure is 99; it takes a number from -20 to 20 stops"
    ),
    (
      "raw:\n  exposure: \"1\"",
      """
      a.yaml:2: error: raw.exposure is \"1\"; it takes a number from -20 to 20 stops, without quotes
      """
    ),
    ("raw: {exposure: 1,5: 2}", "a.yaml:1: warning: raw.5 is unknown and has no effect"),
    (
      "raw:\n\n  isLensCorrectionEnabled: no",
      """
      a.yaml:3: error: raw.isLensCorrectionEnabled is \"no\"; it takes true or false (no is a text)
      """
    ),
    ("raw: [1]", "a.yaml:1: error: raw is a list; it takes a map of keys"),
    (
      "raw:",
      "a.yaml:1: warning: raw is empty, which resets all of it; remove the line, or write raw: {}"
    ),
    (
      "outputs:\n  web: {format: jpeg-srd}",
      "a.yaml:2: error: outputs.web.format is jpeg-srd; it takes \(formats); did you mean jpeg-sdr?"
    ),
    (
      "outputs:\n  web: {hdrBits: 11}",
      "a.yaml:2: error: outputs.web.hdrBits is 11; it takes 10, 12"
    ),
    ("outputs: {web: 5}", "a.yaml:1: error: outputs.web is a number; it takes a map of keys"),
    (
      "raw: {exposur: 1}",
      "a.yaml:1: warning: raw.exposur is unknown and has no effect; did you mean exposure?"
    ),
    (
      "exposure: 1",
      "a.yaml:1: warning: exposure is unknown and has no effect; did you mean raw.exposure?"
    ),
    (
      "schema: 1\noutput: {format: jpeg-sdr}",
      "a.yaml:2: warning: output is unknown and has no effect; did you mean outputs?"
    ),
    (
      "raw: {neutralLocation: [0]}",
      "a.yaml:1: error: raw.neutralLocation is [0]; it takes a list of 2 integers"
    ),
    (
      "raw:\n  neutralTint: 1\n  neutralLocation: [1, 2]",
      """
      a.yaml:3: error: neutralTint and neutralLocation set the white in several ways; keep one of \
      them
      """
    ),
    (
      "rules: []",
      "a.yaml:1: warning: rules is for .rawdev/defaults.yaml only and has no effect here"
    ),
    ("<<: {a: 1}", "a.yaml:1: warning: \"<<\" is unknown and has no effect"),
  ])
  func saysWhatAndWhere(text: String, expected: String) throws {
    #expect(try problems(text) == [expected])
  }

  @Test func soundRecipesHaveNoProblems() throws {
    for recipe in BundledRecipe.all {
      #expect(try recipe.document.problems().isEmpty)
      _ = try Recipe(LayeredRecipe(RecipeLayer.recipes([recipe.document])))
    }
    #expect(try problems("").isEmpty)
    #expect(
      try problems(
        """
        outputs: {a: {chroma: 420, name: \"{date:%Y}/{stem}\"}}\nraw: {decoderVersion: 1, \
        exposure: null}
        """
      ).isEmpty)
  }

  @Test func rulesAreCheckedAsRecipes() throws {
    let text = """
      root: true
      rules:
      - match: {camera: "*", moon: full}
        raw:
          exposure: much
        rendr: {}
      """
    #expect(
      try problems(text, isDefaults: true) == [
        "a.yaml:3: warning: rules[0].match.moon is unknown and has no effect",
        "a.yaml:5: error: rules[0].raw.exposure is much; it takes a number from -20 to 20 stops",
        """
        a.yaml:6: warning: rules[0].rendr is unknown and has no effect; did you mean render?
        """,
      ])
    #expect(try problems("rules: [{raw: {}}]", isDefaults: true).count == 1)
    #expect(try problems("rules: [{match: {iso: fast}}]", isDefaults: true).count == 1)
  }

  @Test func manyUnknownKeysAreSummedUp() throws {
    let text = (0..<20_000).map { "exposure\($0): 1" }.joined(separator: "\n")
    let found = try problems(text)
    #expect(found.count == 101)
    #expect(found.contains { $0.contains("19900 more unknown keys") })
  }

  @Test func effectiveValuesAreTracedToTheirDocuments() throws {
    let weak = try RecipeDocument(text: "raw:\n  exposure: 99\n", path: "w.yaml")
    let strong = try RecipeDocument(text: "outputs:\n  web:\n    qualty: 1\n", path: "s.yaml")
    let layers = LayeredRecipe([
      RecipeLayer(.recipe, "recipe w", weak), RecipeLayer(.sidecar, "sidecar s", strong),
    ])
    #expect(
      layers.problems.map(\.description) == [
        """
        s.yaml:3: warning: outputs.web.qualty is unknown and has no effect; did you mean \
        quality?
        """,
        "w.yaml:2: error: raw.exposure is 99; it takes a number from -20 to 20 stops",
      ])
    let line = RecipeLayer(
      .commandLine, "command line", values: .map(["raw": .map(["exposure": .bool(true)])]))
    #expect(
      LayeredRecipe([line]).problems.map(\.message)
        == ["command line: raw.exposure is true; it takes a number from -20 to 20 stops"])
  }

  @Test func outputsAreBounded() throws {
    func text(_ count: Int, _ name: String = "o") -> String {
      "outputs: {" + (0..<count).map { "\(name)\($0): {}" }.joined(separator: ", ") + "}"
    }
    #expect(try problems(text(256)).isEmpty)
    let refused = "a.yaml:1: error: outputs has 257 outputs; it takes up to 256, so remove some"
    #expect(try problems(text(257)) == [refused])
    // In all documents together.
    let layers = try ["a", "b"].map { name in
      RecipeLayer(.recipe, name, try RecipeDocument(text: text(200, name), path: name))
    }
    #expect(throws: RecipeError.self) { try Recipe(LayeredRecipe(layers)) }
  }
}
