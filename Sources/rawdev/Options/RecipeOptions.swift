import ArgumentParser
import Foundation
import Recipes

/// Which documents apply below the sidecars.
struct AppliedOptions: ParsableArguments {
  @Option(
    name: [.customShort("r"), .long],
    help: "A recipe or look; later ones override earlier ones. See rawdev recipe list.",
    completion: .file())
  var recipe: [String] = []

  @Flag(inversion: .prefixedNo, help: "Apply .rawdev/defaults.yaml of folders.")
  var defaults = true

  @Flag(
    inversion: .prefixedNo,
    help: "Apply XMP of Lightroom and Camera Raw, in sidecars and in raws.")
  var xmp = true

  /// The recipes, weakest first. Throws for one that cannot be read.
  func documents() throws -> [RecipeDocument] {
    do {
      return try recipe.map { (name) throws(RecipeError) in
        try RecipeChain.document(named: name, or: .ofUser)
      }
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// Which recipes apply, and values that override them.
struct RecipeOptions: ParsableArguments {
  @OptionGroup var applied: AppliedOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A value that overrides all recipes, as raw.exposure=0.5; null for the default.",
      valueName: "key=value"))
  var set: [String] = []

  @Flag(inversion: .prefixedNo, help: "Apply sidecars: PHOTO.EXT.rawdev.yaml.")
  var sidecars = true

  /// Finds the recipe of each raw, with the values `raw` of other options above the recipes and
  /// below `--set`.
  func resolver(raw: [String: RecipeValue] = [:]) throws -> RecipeResolver {
    do {
      let documents = try applied.documents()
      var sources = RecipeResolver.Sources()
      (sources.defaults, sources.xmp) = (applied.defaults, applied.xmp)
      sources.sidecars = sidecars
      let values = try self.values(raw: raw)
      let own = LayeredRecipe([RecipeLayer(.commandLine, "--set", values: values)])
      if let problem = own.problems.first { throw ValidationError(problem.message) }
      return try RecipeResolver(recipes: documents, commandLine: values, sources: sources)
    } catch let error as RecipeError {
      throw ValidationError("\(error)")
    }
  }

  /// The values `raw` with the values of `--set`.
  func values(raw: [String: RecipeValue] = [:]) throws -> RecipeValue {
    let options: [String: RecipeValue] = raw.isEmpty ? [:] : ["raw": .map(raw)]
    return try set.reduce(into: .map(options)) { values, text in
      let (path, value) = try KeyAndValue.parse(text, option: "--set ")
      values[path] = value
    }
  }
}
