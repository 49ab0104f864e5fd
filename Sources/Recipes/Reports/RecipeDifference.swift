/// One value in which two effective recipes differ.
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

  /// Where two recipes differ in what they do, by key: a value that is written out and the same by
  /// default are no difference. Keys that are not known here count as they are written.
  public static func all(
    from before: LayeredRecipe, to after: LayeredRecipe
  ) throws(RecipeError) -> [RecipeDifference] {
    var found: [RecipeDifference] = []
    compare(try meaning(before), try meaning(after), at: RecipePath(), into: &found)
    return found
  }

  /// The values of the typed recipe, and those that it does not know.
  private static func meaning(_ layers: LayeredRecipe) throws(RecipeError) -> RecipeValue {
    var values = try Recipe(layers).values
    for entry in layers.entries where entry.value != .null && KeyTree.recipe[entry.path] == nil {
      values.set(entry.value, at: entry.path.steps[...])
    }
    return values
  }

  private static func compare(
    _ before: RecipeValue?, _ after: RecipeValue?, at path: RecipePath,
    into found: inout [RecipeDifference]
  ) {
    guard before != after else { return }
    let depth = path.steps.count
    // An output that only one of the two has is one difference.
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

extension RecipeValue {
  /// Sets the value at the end of `steps`, which are keys; makes the maps on the way.
  mutating func set(_ value: RecipeValue, at steps: ArraySlice<RecipePath.Step>) {
    guard case .key(let key)? = steps.first else { return self = value }
    var inner = self[key] ?? .map([:])
    inner.set(value, at: steps.dropFirst())
    self[key] = inner
  }
}
