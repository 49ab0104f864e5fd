import RawFilter

/// Values against the table of keys: wrong types and ranges are errors, unknown keys warnings.
struct RecipeCheck {
  /// What is the matter with one value.
  struct Finding {
    var severity: RecipeProblem.Severity
    var path: RecipePath
    var message: String
  }

  /// More than these of unknown keys say nothing new.
  private static let maxUnknown = 100

  private(set) var findings: [Finding] = []
  private var unknown = 0

  /// Checks the values of a recipe.
  init(_ values: RecipeValue) {
    check(values, KeyTree.recipe, at: RecipePath())
    if unknown > Self.maxUnknown {
      warn(RecipePath(), "\(unknown - Self.maxUnknown) more keys are not known here")
    }
  }

  private mutating func warn(_ path: RecipePath, _ message: String) {
    findings.append(Finding(severity: .warning, path: path, message: message))
  }

  private mutating func refuse(_ path: RecipePath, _ message: String) {
    findings.append(Finding(severity: .error, path: path, message: message))
  }

  private mutating func check(_ value: RecipeValue, _ tree: KeyTree, at path: RecipePath) {
    if let key = tree.key {
      if let takes = KeyValueCheck.refusal(value, key) { refuse(path, "\(path) is \(takes)") }
      if case .list(let rules) = value, key.kind == .rules, let rule = tree.any?.tree {
        for (index, item) in rules.enumerated() {
          check(item, rule, at: path.appending(item: index))
        }
      }
      return
    }
    switch value {
    case .null:
      // A heading with nothing under it is seldom meant to take away all that there is.
      guard path.steps.count == 1 else { return }
      warn(
        path,
        "\(path) holds nothing, which resets all of it; take the line away, or write \(path): {}")
    case .map(let map):
      for name in map.keys.sorted() {
        let here = path.appending(name)
        if let next = tree.children[name] ?? tree.any?.tree {
          check(map[name] ?? .null, next, at: here)
        } else {
          unknown += 1
          if unknown <= Self.maxUnknown { warnUnknown(name, tree, at: here) }
        }
      }
      if !LayerTree.whiteKeys.isDisjoint(with: tree.children.keys) { checkWhite(map, at: path) }
    default: refuse(path, "\(path) is \(value.kind); it takes a map of keys")
    }
  }

  private mutating func warnUnknown(_ name: String, _ tree: KeyTree, at path: RecipePath) {
    let near = KeySuggestion.nearest(name, in: tree)
    warn(
      path,
      "\(path) is not known here and has no effect" + (near.map { "; did you mean \($0)?" } ?? ""))
  }

  /// A white can be named in one way only.
  private mutating func checkWhite(_ raw: [String: RecipeValue], at path: RecipePath) {
    let ways = Adjustment.whites.compactMap { way in
      way.map(\.name).first { ![nil, RecipeValue.null, .bool(false)].contains(raw[$0]) }
    }
    guard ways.count > 1 else { return }
    refuse(
      path.appending(ways[1]),
      "\(ways.joined(separator: " and ")) name the white in several ways; leave one of them")
  }
}
