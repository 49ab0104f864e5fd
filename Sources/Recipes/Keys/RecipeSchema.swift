/// The table of keys as a JSON Schema (draft 2020-12, https://json-schema.org/specification), for
/// editors and programs that write recipes. Unknown keys are allowed, as rawdev preserves them;
/// null is the default.
public enum RecipeSchema {
  /// Of a complete document.
  public static var document: RecipeValue { root(KeyTree.recipe, "rawdev: a recipe") }

  /// Of the `raw` section only.
  public static var raw: RecipeValue {
    root(KeyTree.recipe["raw"] ?? KeyTree.recipe, "rawdev: settings of a raw's development")
  }

  private static func root(_ tree: KeyTree, _ title: String) -> RecipeValue {
    var schema = object(tree)
    schema["type"] = "object"
    schema["title"] = .text(title)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
  }

  private static func schema(_ tree: KeyTree) -> RecipeValue {
    guard let key = tree.key else { return object(tree) }
    var schema = value(key)
    schema["description"] = .text(
      [key.summary + ".", key.interplay, "Default: \(key.standard)."].filter { !$0.isEmpty }
        .joined(separator: " "))
    if key.kind == .rules, let rule = tree.children["*"] {
      schema["items"] = object(rule)
      schema["items"]?["type"] = "object"
      schema["items"]?["required"] = ["match"]
    }
    return schema
  }

  private static func object(_ tree: KeyTree) -> RecipeValue {
    var schema: RecipeValue = ["type": ["object", "null"]]
    for (name, child) in tree.children where name != "*" {
      schema["properties", default: [:]][name] = self.schema(child)
    }
    schema["additionalProperties"] = tree.children["*"].map { self.schema($0) }
    return schema
  }

  private static func value(_ key: RecipeKey) -> RecipeValue {
    func typed(_ types: RecipeValue..., items: RecipeValue? = nil, count: Int? = nil) -> RecipeValue
    {
      var schema: RecipeValue = ["type": .list(types + ["null"])]
      schema["items"] = items
      schema["minItems"] = count.map { .number(Double($0)) }
      schema["maxItems"] = schema["minItems"]
      return schema
    }
    func bounded(_ schema: RecipeValue) -> RecipeValue {
      var schema = schema
      schema["minimum"] = key.minimum.map { .number($0) }
      schema["maximum"] = key.maximum.map { .number($0) }
      return schema
    }
    func choices(_ schema: RecipeValue) -> RecipeValue {
      guard !key.choices.isEmpty else { return schema }
      var schema = schema
      let names = key.choices + key.otherNames.keys.sorted()
      let texts = key.kind == .text ? names.map { RecipeValue.text($0) } : []
      // What looks like a number may be written as one.
      let all = RecipeValue.list(
        texts + key.choices.compactMap(Double.init).map { .number($0) } + [.null])
      guard key.path == "raw.look" else {
        schema["enum"] = all
        return schema
      }
      let endings = LookPath.endings.map { $0.replacing(".", with: "\\.") }
      schema["anyOf"] = [
        ["enum": all],
        ["type": "string", "pattern": .text("(\(endings.joined(separator: "|")))$")],
      ]
      return schema
    }
    let coordinate: RecipeValue = ["type": "number", "minimum": 0, "maximum": 1]
    var point: RecipeValue = [
      "type": ["object"], "properties": ["x": coordinate, "y": coordinate], "required": ["x", "y"],
    ]
    switch key.kind {
    case .number: return bounded(typed("number"))
    case .integer: return choices(bounded(typed("integer")))
    case .toggle: return typed("boolean")
    case .text:
      let hasNumbers = key.choices.contains { Double($0) != nil }
      return choices(hasNumbers ? typed("string", "integer") : typed("string"))
    case .numbers: return typed("array", items: bounded(["type": "number"]), count: key.count)
    case .integers: return typed("array", items: ["type": "integer"], count: key.count)
    case .texts: return typed("array", "string", items: ["type": "string"])
    case .point:
      point["type"] = ["object", "null"]
      return point
    case .points: return typed("array", items: point, count: key.count)
    case .range:
      return bounded(typed("array", "number", items: bounded(typed("number")), count: 2))
    case .rules: return typed("array")
    }
  }
}
