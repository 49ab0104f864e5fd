/// The page `Docs/recipes.md`: an introduction to recipes, and the table of their keys.
public enum RecipeReference {
  /// The page.
  public static var markdown: String {
    [
      RecipeReferenceText.beginning, bundled, RecipeReferenceText.layers, RecipeReferenceText.files,
      "## Keys\n\n"
        + "Absent keys are inherited; a key that no layer sets has its default. Every key takes\n"
        + "`null`, the default, overriding weaker layers.\n",
      "### The document\n\n"
        + table(of: RecipeKey.all.filter { !$0.path.contains(".") }, below: ""),
      "### `rules[].match`\n\n" + table(below: "rules.match."),
      "### `raw`: how the raw is developed\n\n" + table(below: "raw."),
      "### `render`: the developed picture as a whole\n\n" + table(below: "render."),
      "### `outputs.*`: the files\n\n" + table(below: "outputs.*."),
      RecipeReferenceText.end,
    ].joined(separator: "\n")
  }

  private static var bundled: String {
    "## Recipes included in rawdev\n\n| name | purpose |\n|---|---|\n"
      + BundledRecipe.all.map { "| `\($0.name)` | \($0.summary) |\n" }.joined()
      + "\nLooks set only colors and contrast, for any picture: `--recipe look:vivid`.\n\n"
      + "| look | effect |\n|---|---|\n"
      + BundledLook.all.map { "| `\($0.recipeName)` | \($0.summary) |\n" }.joined()
  }

  private static func table(below prefix: String) -> String {
    table(of: RecipeKey.all.filter { $0.path.hasPrefix(prefix) }, below: prefix)
  }

  private static func table(of keys: [RecipeKey], below prefix: String) -> String {
    "| key | takes | default | effect |\n|---|---|---|---|\n"
      + keys.map { key in
        let name = key.path.dropFirst(prefix.count)
        let interplay = key.interplay.isEmpty ? "" : " \(key.interplay)"
        return "| `\(name)` | \(key.takes) | \(key.standard) | \(key.summary).\(interplay) |\n"
      }.joined()
  }
}
