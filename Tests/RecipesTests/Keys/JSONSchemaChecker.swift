import Recipes

/// The part of JSON Schema 2020-12 that `RecipeSchema` uses; any other keyword is an error, so that
/// none is ignored. Written from the specification, independently of `RecipeSchema`.
struct JSONSchemaChecker {
  /// Why `value` is invalid; nil where it is valid.
  static func refusal(_ value: RecipeValue, _ schema: RecipeValue, at path: String = "$")
    -> String?
  {
    guard case .map(let keywords) = schema else { return "\(path): no schema" }
    for (keyword, argument) in keywords {
      switch (keyword, argument) {
      case ("$schema", _), ("title", _), ("description", _), ("minItems", _), ("maxItems", _): break
      case ("type", .text(let type)):
        if !isOf(value, type) { return "\(path): not \(type)" }
      case ("type", .list(let types)):
        let fits = types.contains {
          if case .text(let type) = $0 { isOf(value, type) } else { false }
        }
        if !fits { return "\(path): \(value.line) is none of \(argument.line)" }
      case ("enum", .list(let choices)):
        if !choices.contains(value) {
          return "\(path): \(value.line) is not among \(argument.line)"
        }
      case ("minimum", .number(let least)):
        if case .number(let number) = value, number < least { return "\(path): below \(least)" }
      case ("maximum", .number(let most)):
        if case .number(let number) = value, number > most { return "\(path): above \(most)" }
      case ("anyOf", .list(let ways)):
        if !ways.contains(where: { refusal(value, $0, at: path) == nil }) {
          return "\(path): \(value.line) is none of \(argument.line)"
        }
      case ("pattern", .text(let pattern)):
        guard case .text(let text) = value else { break }
        guard let expression = try? Regex(pattern), text.contains(expression) else {
          return "\(path): \(value.line) is not as \(pattern)"
        }
      case ("required", .list(let names)):
        guard case .map(let map) = value else { break }
        for case .text(let name) in names where map[name] == nil {
          return "\(path): lacks \(name)"
        }
      case ("items", _):
        guard case .list(let items) = value else { break }
        if case .number(let n)? = keywords["minItems"], Double(items.count) < n {
          return "\(path): short"
        }
        if case .number(let n)? = keywords["maxItems"], Double(items.count) > n {
          return "\(path): long"
        }
        for (index, item) in items.enumerated() {
          if let refusal = refusal(item, argument, at: "\(path)[\(index)]") { return refusal }
        }
      case ("properties", .map(let properties)):
        guard case .map(let map) = value else { break }
        for (name, inner) in map {
          if let own = properties[name], let refusal = refusal(inner, own, at: "\(path).\(name)") {
            return refusal
          }
        }
      case ("additionalProperties", _):
        guard case .map(let map) = value else { break }
        for (name, inner) in map where keywords["properties"]?[name] == nil {
          if let refusal = refusal(inner, argument, at: "\(path).\(name)") { return refusal }
        }
      default: return "\(path): unknown keyword \(keyword)"
      }
    }
    return nil
  }

  private static func isOf(_ value: RecipeValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.text, "string"),
      (.list, "array"),
      (.map, "object"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
