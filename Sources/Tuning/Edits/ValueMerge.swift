import Recipes

/// Changes of two sides, made from the same values without knowing of each other, as one. What only
/// one of them changed is as it made it; what both changed to different values is a conflict.
///
/// The ways of giving the white are alternatives, so all of them count as one property.
struct ValueMerge {
  /// The merged values; in conflicts those of the preferred side.
  private(set) var values: [String: RecipeValue] = [:]
  /// The names that both changed to different values, sorted.
  private(set) var conflicts: [String] = []

  /// Merges `mine` and `theirs`, which both come from `base`.
  init(
    base: [String: RecipeValue], mine: [String: RecipeValue], theirs: [String: RecipeValue],
    preferring side: EditDecision.Side = .mine
  ) {
    let whites = LayeredRecipe.whiteKeys
    let names = Set(base.keys).union(mine.keys).union(theirs.keys)
    let properties = names.subtracting(whites).map { [$0] } + [Array(whites)]
    for names in properties {
      func part(_ values: [String: RecipeValue]) -> [String: RecipeValue] {
        values.filter { names.contains($0.key) }
      }
      let (old, own, other) = (part(base), part(mine), part(theirs))
      var merged = own
      if own == old {
        merged = other
      } else if other != old, other != own {
        conflicts += Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
        merged = side == .mine ? own : other
      }
      values.merge(merged) { first, _ in first }
    }
    conflicts.sort()
  }
}
