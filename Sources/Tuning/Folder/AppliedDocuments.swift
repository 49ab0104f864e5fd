package import Recipes

/// The documents below the sidecars that apply to all raws: named ones, and kinds of documents that
/// are searched for.
package struct AppliedDocuments: Sendable {
  /// Recipes, the weakest first; they are below the XMP and the sidecar of a raw.
  package var recipes: [RecipeDocument]
  /// Whether defaults of folders apply.
  package var usesDefaults: Bool
  /// Whether XMP of other programs applies.
  package var usesXMP: Bool

  /// These documents; by default no recipe, and all that are found.
  package init(recipes: [RecipeDocument] = [], usesDefaults: Bool = true, usesXMP: Bool = true) {
    (self.recipes, self.usesDefaults, self.usesXMP) = (recipes, usesDefaults, usesXMP)
  }

  /// Finds the recipe of each raw, with the sidecars where `usesSidecars`, below the values
  /// `above`. Throws where what a recipe extends cannot be read.
  package func resolver(
    usesSidecars: Bool, above: RecipeValue = .map([:])
  ) throws(RecipeError) -> RecipeResolver {
    var sources = RecipeResolver.Sources()
    (sources.defaults, sources.xmp, sources.sidecars) = (usesDefaults, usesXMP, usesSidecars)
    return try RecipeResolver(recipes: recipes, commandLine: above, sources: sources)
  }
}
