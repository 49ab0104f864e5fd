/// A file of colors that is named as the look, `look: film.rawlook`, as on the command line:
/// another spelling of `lutPath`, which counts where both are given.
package enum LookPath {
  /// How the names of such files end.
  static let endings = [".rawlook", ".cube", ".png"]

  /// Whether `value` of the key `look` is the name of a file.
  package static func isPath(_ value: RecipeValue?) -> Bool {
    guard case .text(let text)? = value else { return false }
    return endings.contains(where: text.lowercased().hasSuffix)
  }

  /// The key at `path` and its value, as spelled in documents.
  package static func present(_ path: RecipePath, _ value: RecipeValue) -> RecipePath {
    guard path == RecipePath(keys: "raw", "look"), isPath(value) else { return path }
    return RecipePath(keys: "raw", "lutPath")
  }

  /// Spells the looks in `values`, and in the rules in them, as paths. Returns whether there were.
  @discardableResult
  static func replace(in values: inout RecipeValue, _ lines: inout DocumentLines) -> Bool {
    var isReplaced = replaceOne(in: &values, &lines)
    guard case .list(var rules)? = values["rules"] else { return isReplaced }
    for index in rules.indices {
      var inner = DocumentLines(1)
      let isKnown = lines.keys["rules"]?.items.indices.contains(index) ?? false
      if isKnown { inner = lines.keys["rules"]?.items[index] ?? inner }
      guard replaceOne(in: &rules[index], &inner) else { continue }
      isReplaced = true
      if isKnown { lines.keys["rules"]?.items[index] = inner }
    }
    values["rules"] = .list(rules)
    return isReplaced
  }

  private static func replaceOne(
    in values: inout RecipeValue, _ lines: inout DocumentLines
  ) -> Bool {
    guard let look = values["raw"]?["look"], isPath(look) else { return false }
    if values["raw"]?["lutPath"] == nil {
      values["raw"]?["lutPath"] = look
      let line = lines.keys["raw"]?.keys["look"]
      lines.keys["raw"]?.keys["lutPath"] = line
    }
    values["raw"]?["look"] = nil
    lines.keys["raw"]?.keys["look"] = nil
    return true
  }
}
