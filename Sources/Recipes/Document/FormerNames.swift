import ImageFilters

/// Renames keys that had another name before: `tiffSpace` of outputs; `crop` and `angle` of
/// `render`, of which `crop` was a list of edges. Where both are given, the present one counts.
package enum FormerNames {
  /// Present names by former ones.
  private static let ofOutputs = Dictionary(
    uniqueKeysWithValues: Recipe.Output.settings.compactMap { setting in
      setting.formerName.map { ($0, setting.name) }
    })

  /// The frame, from before it was part of the development: former keys of `render`, present ones
  /// of `raw`.
  private static let ofFrames = [("crop", "crop"), ("angle", "straightenAngle")]

  /// A key that was renamed, with its former name.
  struct Renamed {
    let path: RecipePath
    let former: String
    let present: String
  }

  /// `value` and the present path of the key at `path`, which may have its former name.
  package static func present(
    _ path: RecipePath, _ value: RecipeValue
  ) -> (path: RecipePath, value: RecipeValue) {
    var (values, lines) = (RecipeValue.map([:]), DocumentLines(1))
    values[path] = value
    guard let path = replace(in: &values, &lines).first?.path else { return (path, value) }
    return (path, values[path] ?? .null)
  }

  /// Whether `key` is one of `render` that is elsewhere now.
  package static func isOfFrame(_ key: String) -> Bool { ofFrames.contains { $0.0 == key } }

  /// Renames the keys of `values` and of the rules in them, and returns those that were renamed.
  static func replace(
    in values: inout RecipeValue, _ lines: inout DocumentLines
  ) -> [Renamed] {
    var renamed =
      replaceOutputs(of: &values, &lines, at: RecipePath())
      + replaceFrame(of: &values, &lines, at: RecipePath())
    guard case .list(var rules)? = values["rules"] else { return renamed }
    let path = RecipePath(keys: "rules")
    for index in rules.indices {
      var inner = lines[path.appending(item: index)] ?? DocumentLines(lines.line(of: path))
      let rule = path.appending(item: index)
      let found =
        replaceOutputs(of: &rules[index], &inner, at: rule)
        + replaceFrame(of: &rules[index], &inner, at: rule)
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
  ) -> [Renamed] {
    guard case .map(var outputs)? = values["outputs"] else { return [] }
    var renamed: [Renamed] = []
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
        let full = base.appending(path).appending(present)
        renamed.append(Renamed(path: full, former: former, present: present))
      }
    }
    if !renamed.isEmpty { values["outputs"] = .map(outputs) }
    return renamed
  }

  private static func replaceFrame(
    of values: inout RecipeValue, _ lines: inout DocumentLines, at base: RecipePath
  ) -> [Renamed] {
    var renamed: [Renamed] = []
    for (former, present) in ofFrames {
      guard let value = values["render"]?[former] else { continue }
      switch values["raw"] {
      case .map?: break
      case nil, .null?: values["raw"] = .map([:])
      // The check reports it.
      default: continue
      }
      let line = lines.keys["render"]?.keys[former] ?? DocumentLines(lines.line)
      values["render"]?[former] = nil
      lines.keys["render"]?.keys[former] = nil
      if values["render"] == .map([:]) { values["render"] = nil }
      if values["raw"]?[present] == nil {
        values["raw"]?[present] = former == "crop" ? crop(value) : value
        lines.keys["raw", default: DocumentLines(line.line)].keys[present] = line
      }
      let path = RecipePath(keys: "raw", present)
      renamed.append(
        Renamed(
          path: base.appending(path), former: "render.\(former)", present: path.description))
    }
    return renamed
  }

  /// A crop by its edges as text. Invalid values stay, and are refused under the present name.
  private static func crop(_ value: RecipeValue) -> RecipeValue {
    guard case .list(let list) = value else { return value }
    let edges = list.compactMap { if case .number(let edge) = $0 { edge } else { nil } }
    let area = edges.count == list.count ? CropArea(edges: edges) : nil
    return .text(area?.description ?? value.line)
  }
}
