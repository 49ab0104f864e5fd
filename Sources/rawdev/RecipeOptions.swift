import ArgumentParser
import Foundation
import Recipes

/// Which recipes apply, and values that override them.
struct RecipeOptions: ParsableArguments {
  @Option(
    name: [.customShort("r"), .long],
    help: "A recipe by name or path; later ones override earlier ones. See rawdev recipe list.",
    completion: .file())
  var recipe: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A value that overrides all recipes, as raw.exposure=0.5; null for the default.",
      valueName: "key=value"))
  var set: [String] = []

  @Flag(inversion: .prefixedNo, help: "Apply .rawdev/defaults.yaml of folders.")
  var defaults = true

  @Flag(inversion: .prefixedNo, help: "Apply sidecars: PHOTO.EXT.rawdev.yaml.")
  var sidecars = true

  @Flag(
    inversion: .prefixedNo,
    help: "Apply XMP of Lightroom and Camera Raw, beside raws and in them.")
  var xmp = true

  /// Finds the recipe of each raw, with the values `raw` of other options above the recipes and
  /// below `--set`.
  func resolver(raw: [String: RecipeValue] = [:]) throws -> RecipeResolver {
    do {
      let documents = try recipe.map { try RecipeChain.document(named: $0) }
      var sources = RecipeResolver.Sources()
      (sources.defaults, sources.sidecars, sources.xmp) = (defaults, sidecars, xmp)
      let values = try self.values(raw: raw)
      let own = LayeredRecipe([RecipeLayer(.commandLine, "--set", values: values)])
      if let problem = own.problems.first { throw ValidationError(problem.message) }
      return try RecipeResolver(recipes: documents, commandLine: values, sources: sources)
    } catch let error as RecipeError {
      throw ValidationError("\(error)")
    }
  }

  /// The values `raw` with those of `--set`.
  func values(raw: [String: RecipeValue] = [:]) throws -> RecipeValue {
    let options: [String: RecipeValue] = raw.isEmpty ? [:] : ["raw": .map(raw)]
    return try set.reduce(into: .map(options)) { values, text in
      let (path, value) = try KeyAndValue.parse(text, option: "--set ")
      values[path] = value
    }
  }
}
