/// The table of keys as a JSON Schema (draft 2020-12, https://json-schema.org/specification), for
/// editors and programs that write recipes. Unknown keys are allowed, as rawdev keeps them; null
/// stands for the default.
public enum RecipeSchema {
  /// Of a whole recipe document.
  public static var document: RecipeValue {
    var schema = object(KeyTree.recipe, title: "rawdev: a recipe")
    schema["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
    return schema
  }

  /// Of the `raw` part alone.
  public static var raw: RecipeValue {
    var schema = object(KeyTree.recipe.children["raw"] ?? KeyTree.recipe, title: title)
    schema["type"] = .text("object")
    schema["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
    return schema
  }

  private static let title = "rawdev: settings of a raw's development"

  private static func schema(_ tree: KeyTree) -> RecipeValue {
    guard let key = tree.key else { return object(tree) }
    var schema = value(key)
    schema["description"] = .text(
      ([key.summary + ".", key.interplay, "Default: \(key.standard)."]).filter { !$0.isEmpty }
        .joined(separator: " "))
    if key.kind == .rules, let rule = tree.any?.tree {
      schema["items"] = object(rule, isRule: true)
    }
    return schema
  }

  private static func object(
    _ tree: KeyTree, title: String? = nil, isRule: Bool = false
  ) -> RecipeValue {
    let isRoot = title != nil
    var schema = RecipeValue.map([
      "type": isRoot || isRule ? .text("object") : .list([.text("object"), .text("null")])
    ])
    if !tree.children.isEmpty {
      schema["properties"] = .map(tree.children.mapValues { self.schema($0) })
    }
    if let any = tree.any { schema["additionalProperties"] = self.schema(any.tree) }
    if isRule { schema["required"] = .list([.text("match")]) }
    if let title { schema["title"] = .text(title) }
    return schema
  }

  private static func value(_ key: RecipeKey) -> RecipeValue {
    func typed(_ types: String...) -> RecipeValue {
      .map(["type": .list((types + ["null"]).map { .text($0) })])
    }
    func bounded(_ schema: RecipeValue) -> RecipeValue {
      var schema = schema
      schema["minimum"] = key.minimum.map { .number($0) }
      schema["maximum"] = key.maximum.map { .number($0) }
      return schema
    }
    func list(of item: RecipeValue) -> RecipeValue {
      var schema = typed("array")
      schema["items"] = item
      schema["minItems"] = key.count.map { .number(Double($0)) }
      schema["maxItems"] = key.count.map { .number(Double($0)) }
      return schema
    }
    let number = bounded(.map(["type": .text("number")]))
    let coordinate: RecipeValue = .map([
      "type": .text("number"), "minimum": .number(0), "maximum": .number(1),
    ])
    let point = RecipeValue.map([
      "properties": .map(["x": coordinate, "y": coordinate]),
      "required": .list([.text("x"), .text("y")]),
    ])
    func object(_ types: [String]) -> RecipeValue {
      var schema = point
      schema["type"] = .list(types.map { .text($0) })
      return schema
    }
    switch key.kind {
    case .number: return bounded(typed("number"))
    case .integer: return choices(key, bounded(typed("integer")))
    case .toggle: return typed("boolean")
    case .text:
      let hasNumbers = key.choices.contains { Double($0) != nil }
      return choices(key, hasNumbers ? typed("string", "integer") : typed("string"))
    case .numbers: return list(of: number)
    case .integers: return list(of: .map(["type": .text("integer")]))
    case .texts:
      var schema = typed("array", "string")
      schema["items"] = .map(["type": .text("string")])
      return schema
    case .point: return object(["object", "null"])
    case .points: return list(of: object(["object"]))
    case .range:
      var schema = typed("array", "number")
      schema["items"] = bounded(typed("number"))
      schema["minItems"] = .number(2)
      schema["maxItems"] = .number(2)
      return bounded(schema)
    case .rules: return typed("array")
    }
  }

  /// The choices, and where they look like numbers, those too.
  private static func choices(_ key: RecipeKey, _ schema: RecipeValue) -> RecipeValue {
    guard !key.choices.isEmpty else { return schema }
    var schema = schema
    let texts: [RecipeValue] = key.kind == .text ? key.choices.map { .text($0) } : []
    schema["enum"] = .list(
      texts + key.choices.compactMap(Double.init).map { .number($0) } + [.null])
    return schema
  }
}
