/// The text of a new recipe: every key with what it does and takes, and nothing set.
///
/// Lines that begin with `##` explain; of the others, `#` taken away sets a key. All values are
/// those that count anyway, so that taking `#` away changes nothing; `null` stands for what depends
/// on the file.
public enum RecipeStarter {
  /// The document, in YAML.
  public static let text: String = {
    var lines = [
      "## A recipe of rawdev. Nothing is set yet: take # away in front of a key, and of the line that",
      "## it belongs to, and change its value. What stays absent is inherited; null is the default,",
      "## whatever weaker recipes say. Check with `rawdev recipe validate`; see Docs/recipes.md.",
      "schema: 1",
      "#name: null",
      "#description: null",
      "## Recipes that this one builds on: paths relative to this file, or one of",
      "## " + BundledRecipe.all.map(\.name).joined(separator: ", ") + ".",
      "#extends: []",
    ]
    lines += ["", "## How the raw is developed.", "#raw:"]
    lines += keys("raw.", indent: "  ")
    lines += ["", "## The picture as a whole.", "#render:"]
    lines += keys("render.", indent: "  ")
    lines += [
      "", "## The files to write, each under a name of its own.", "#outputs:",
      "#  \(Recipe.onlyOutput):",
    ]
    lines += keys("outputs.*.", indent: "    ")
    return lines.joined(separator: "\n") + "\n"
  }()

  /// The value that counts anyway; nil where a recipe that names it would say more than one that
  /// does not.
  private static func standardValue(_ key: RecipeKey) -> RecipeValue? {
    let written = (try? Recipe().values)?[key.steps(output: Recipe.onlyOutput)]
    return key.standardValue.flatMap { written == $0 || key.kind == .toggle ? $0 : nil }
  }

  private static func keys(_ prefix: String, indent: String) -> [String] {
    var lines: [String] = []
    var group = ""
    for key in RecipeKey.all where key.path.hasPrefix(prefix) && !key.path.contains(".light.") {
      let rest = key.path.dropFirst(prefix.count).split(separator: ".").map(String.init)
      let inner = rest.count > 1 ? indent + "  " : indent
      if rest.count > 1, rest[0] != group { lines.append("#\(indent)\(rest[0]):") }
      group = rest.count > 1 ? rest[0] : ""
      let takes =
        key.choices.isEmpty
        ? key.takes.prefix(1).uppercased() + key.takes.dropFirst() : "One of \(key.takes)"
      lines.append("##\(inner)\(key.summary). \(takes).")
      let value = standardValue(key) ?? .null
      let note = value == .null ? "  # \(key.standard)" : ""
      lines.append("#\(inner)\(rest.last ?? ""): \(value.line)\(note)")
    }
    return lines
  }
}
