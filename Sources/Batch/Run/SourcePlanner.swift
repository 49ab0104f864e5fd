import Recipes

/// What is to be made of one source.
struct SourcePlan: Sendable {
  var recipe: Recipe
  /// The recipe in one form, for keys.
  var canonical: String
  var outputs: OutputPlan
  /// What of another program's sidecar was not taken.
  var notes: [String]
  /// What of its recipes and sidecars is not as it should be.
  var warnings: [String]
}

/// Finds what is to be made of each source.
protocol SourcePlanner: AnyObject {
  /// Throws where recipes, sidecars or names of this source cannot be used.
  func plan(_ source: BatchSource, _ facts: SourceFacts) throws -> SourcePlan
  /// Reads recipes and sidecars anew from now on.
  func forget()
}
