/// Keys that had another name before, brought to the present one: `tiffSpace` of outputs. Where
/// both are given, the present one counts.
enum FormerNames {
  /// Present names by former ones.
  private static let ofOutputs = Dictionary(
    uniqueKeysWithValues: Recipe.Output.settings.compactMap { setting in
      setting.formerName.map { ($0, setting.name) }
    })

  /// The present name of the key at `path`.
  static func present(_ path: RecipePath) -> RecipePath {
    guard path.steps.count == 3, path.steps[0] == .key("outputs"),
      let name = ofOutputs[path.name]
    else { return path }
    return RecipePath(Array(path.steps.dropLast())).appending(name)
  }

  /// Renames the keys of `values` and of the rules in them, and returns the paths of those that
  /// were renamed, with their former names.
  static func replace(
    in values: inout RecipeValue, _ lines: inout DocumentLines
  ) -> [(path: RecipePath, former: String)] {
    var renamed = replaceOutputs(of: &values, &lines, at: RecipePath())
    guard case .list(var rules)? = values["rules"] else { return renamed }
    let path = RecipePath(keys: "rules")
    for index in rules.indices {
      var inner = lines[path.appending(item: index)] ?? DocumentLines(lines.line(of: path))
      let found = replaceOutputs(of: &rules[index], &inner, at: path.appending(item: index))
      guard !found.isEmpty else { continue }
      renamed += found
      if lines.keys["rules"]?.items.indices.contains(index) ?? false {
        lines.keys["rules"]?.items[index] = inner
      }
    }
    values["rules"] = .list(rules)
    return renamed
  }

  private static func replaceOutputs(
    of values: inout RecipeValue, _ lines: inout DocumentLines, at base: RecipePath
  ) -> [(path: RecipePath, former: String)] {
    guard case .map(var outputs)? = values["outputs"] else { return [] }
    var renamed: [(path: RecipePath, former: String)] = []
    for name in outputs.keys.sorted() {
      for (former, present) in ofOutputs.sorted(by: { $0.key < $1.key }) {
        guard let value = outputs[name]?[former] else { continue }
        let path = RecipePath(keys: "outputs", name)
        if outputs[name]?[present] == nil {
          outputs[name]?[present] = value
          let line = lines[path.appending(former)]
          lines.keys["outputs"]?.keys[name]?.keys[present] = line
        }
        outputs[name]?[former] = nil
        lines.keys["outputs"]?.keys[name]?.keys[former] = nil
        let whole = base.appending(path).appending(present)
        renamed.append((whole, former))
      }
    }
    if !renamed.isEmpty { values["outputs"] = .map(outputs) }
    return renamed
  }
}
