import RawFilter

extension RecipeKey {
  /// The key at `path`, as `raw.exposure` or `outputs.web.quality`; nil for an unknown path.
  public static func at(_ path: RecipePath) -> RecipeKey? { KeyTree.recipe[path]?.key }

  /// Every key of a recipe, in the order of documents.
  public static let all =
    document
    + match.map { $0.inside("rules.match") }
    + RAWProperty.all.compactMap { Adjustment.named($0.name) }.map { RecipeKey($0) }
    + Recipe.Rendering.settings.flatMap(\.keys).map { $0.inside("render") }
    + Recipe.Output.settings.flatMap(\.keys).map { $0.inside("outputs.*") }

  /// The keys that determine the picture and the written files.
  public static var effective: [RecipeKey] {
    all.filter { $0.path.contains(".") && !$0.path.hasPrefix("rules.") }
  }

  private static let document = [
    RecipeKey(
      "schema", .integer, 0...Double(RecipeDocument.newestSchema), standard: "1",
      "Version of the document format", "A higher one needs a newer rawdev."),
    RecipeKey("name", .text, standard: "none", "Title of the recipe"),
    RecipeKey("description", .text, standard: "none", "Purpose of the recipe"),
    RecipeKey(
      "extends", .texts, standard: "none", "Recipes that this one is based on, weakest first",
      "Paths relative to this file, or names of recipes that are included in rawdev."),
    RecipeKey(
      "root", .toggle, standard: "off", "Ignore defaults of the folders above this one",
      "Only in .rawdev/defaults.yaml."),
    RecipeKey(
      "rules", .rules, standard: "none", "Values for certain cameras, ISO speeds and lenses",
      "Only in .rawdev/defaults.yaml."),
    RecipeKey(
      PictureMarks.ratingKey, .integer, 0...5, standard: "none", "Stars of the picture",
      "Only in a sidecar. Overrides its XMP; changes metadata of outputs, not pixels."),
    RecipeKey(
      PictureMarks.pickKey, .text, choices: PictureMarks.Pick.allCases.map(\.rawValue),
      standard: "none", "Whether the picture is a pick or a reject",
      "Only in a sidecar, as rating. A reject has the rating −1 in XMP."),
  ]

  private static let match = [
    RecipeKey(
      "camera", .text, standard: "any",
      "Make and model, or only the model; * matches any text, ? any one character",
      "Case does not matter. Patterns that begin with * need quotes."),
    RecipeKey(
      "iso", .range, from: 0, standard: "any", "ISO speed, or the lowest and the highest"),
    RecipeKey("lens", .text, standard: "any", "Name of the lens, a pattern as for camera"),
  ]
}
