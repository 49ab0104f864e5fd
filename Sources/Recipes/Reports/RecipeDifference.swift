/// A value that two effective recipes differ in.
public struct RecipeDifference: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key, as `outputs.web.quality`.
  public let key: String
  /// The value in the first recipe; nil for the default.
  public let before: RecipeValue?
  /// The value in the second recipe; nil for the default.
  public let after: RecipeValue?

  /// `raw.exposure: default → 0.5`.
  public var description: String {
    "\(key): \(before?.line ?? "default") → \(after?.line ?? "default")"
  }

  /// The differences in effect, in the order of keys: writing out a default is no difference.
  /// Unknown keys are compared as written.
  public static func all(
    from before: LayeredRecipe, to after: LayeredRecipe
  ) throws(RecipeError) -> [RecipeDifference] {
    var found: [RecipeDifference] = []
    compare(try meaning(before), try meaning(after), at: RecipePath(), into: &found)
    return found
  }

  /// The values of the typed recipe, and the unknown keys.
  private static func meaning(_ layers: LayeredRecipe) throws(RecipeError) -> RecipeValue {
    var values = try Recipe(layers).values
    for entry in layers.entries where entry.value != .null && KeyTree.recipe[entry.path] == nil {
      values[entry.path] = entry.value
    }
    return values
  }

  private static func compare(
    _ before: RecipeValue?, _ after: RecipeValue?, at path: RecipePath,
    into found: inout [RecipeDifference]
  ) {
    guard before != after else { return }
    let depth = path.steps.count
    // An output that one of the two lacks is one difference.
    let isOutput =
      depth == 2 && path.steps.first == .key("outputs") && (before == nil || after == nil)
    if !isOutput, case .map(let a) = before ?? .map([:]), case .map(let b) = after ?? .map([:]) {
      for key in Set(a.keys).union(b.keys).sorted() {
        compare(a[key], b[key], at: path.appending(key), into: &found)
      }
    } else {
      found.append(RecipeDifference(key: path.description, before: before, after: after))
    }
  }
}
