import RawFilter

/// Values checked against the table of keys: wrong types and ranges are errors, unknown keys are
/// warnings.
struct RecipeCheck {
  /// A problem of one value.
  struct Finding {
    var severity: RecipeProblem.Severity
    var path: RecipePath
    var message: String
  }

  private(set) var findings: [Finding] = []
  private var unknown = 0

  /// Checks the values of a recipe.
  init(_ values: RecipeValue) {
    check(values, KeyTree.recipe, at: RecipePath())
    if unknown > RecipeLimits.unknownKeys {
      add(
        .warning, RecipePath(), "\(unknown - RecipeLimits.unknownKeys) more unknown keys"
      )
    }
  }

  private mutating func add(
    _ severity: RecipeProblem.Severity, _ path: RecipePath, _ message: String
  ) {
    findings.append(Finding(severity: severity, path: path, message: message))
  }

  private mutating func check(_ value: RecipeValue, _ tree: KeyTree, at path: RecipePath) {
    switch (tree.key, value) {
    case (let key?, _):
      if let refusal = key.refusal(value) { add(.error, path, "\(path) is \(refusal)") }
      if case .list(let items) = value, let rule = tree.children["*"] {
        for (index, item) in items.enumerated() {
          check(item, rule, at: path.appending(item: index))
        }
      }
    case (nil, .null):
      // An empty section is rarely meant to reset all of it.
      guard path.steps.count == 1 else { return }
      add(
        .warning, path,
        "\(path) is empty, which resets all of it; remove the line, or write \(path): {}")
    case (nil, .map(let map)):
      if path == RecipePath(keys: "outputs"), map.count > RecipeLimits.outputs {
        return add(
          .error, path,
          "outputs has \(map.count) outputs; it takes up to \(RecipeLimits.outputs), so remove some"
        )
      }
      for name in map.keys.sorted() {
        let here = path.appending(name)
        if let next = tree[name] {
          check(map[name] ?? .null, next, at: here)
        } else {
          unknown += 1
          if unknown <= RecipeLimits.unknownKeys { warnOfUnknown(name, tree, at: here) }
        }
      }
      if !LayeredRecipe.whiteKeys.isDisjoint(with: tree.children.keys) {
        checkWhite(map, at: path)
      }
    case (nil, _): add(.error, path, "\(path) is \(value.kind); it takes a map of keys")
    }
  }

  private mutating func warnOfUnknown(_ name: String, _ tree: KeyTree, at path: RecipePath) {
    let hint = KeySuggestion.nearest(name, in: tree).map { "; did you mean \($0)?" } ?? ""
    add(.warning, path, "\(path) is unknown and has no effect" + hint)
  }

  /// At most one of the alternative settings of the white may be given.
  private mutating func checkWhite(_ raw: [String: RecipeValue], at path: RecipePath) {
    let ways = Adjustment.whites.compactMap { way in
      way.map(\.name).first { ![nil, RecipeValue.null, .bool(false)].contains(raw[$0]) }
    }
    guard ways.count > 1 else { return }
    add(
      .error, path.appending(ways[1]),
      "\(ways.joined(separator: " and ")) set the white in several ways; keep one of them")
  }
}
