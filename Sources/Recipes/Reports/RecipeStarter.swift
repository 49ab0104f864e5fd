/// The text of a new recipe: every key with its effect and range, commented out.
///
/// Lines that begin with `##` are explanations; removing the `#` of another one sets a key. All
/// values are the defaults, so that this alone changes nothing; a default that depends on the file
/// is `null`.
public enum RecipeStarter {
  /// The document, in YAML.
  public static let text: String = {
    var lines = [
      "## A rawdev recipe with no key set. To set a key, remove the # before it and",
      "## before the key of its section, and change the value. Absent keys are inherited; null is",
      "## the default, overriding weaker recipes. Check with `rawdev recipe validate`; see",
      "## Docs/recipes.md.",
      "schema: 1",
      "#name: null",
      "#description: null",
      "## Recipes that this one is based on: paths relative to this file, or one of",
      "## " + BundledRecipe.all.map(\.name).joined(separator: ", ") + ".",
      "#extends: []",
    ]
    lines += ["", "## How the raw is developed.", "#raw:"]
    lines += keys("raw.", indent: "  ")
    lines += ["", "## The developed picture as a whole.", "#render:"]
    lines += keys("render.", indent: "  ")
    lines += [
      "", "## The files to write, by name.", "#outputs:",
      "#  \(Recipe.onlyOutput):",
    ]
    lines += keys("outputs.*.", indent: "    ")
    return lines.joined(separator: "\n") + "\n"
  }()

  /// Writes the text to a file at `path`. Throws ``RecipeError/Code/exists`` where it exists,
  /// ``RecipeError/Code/cannotWrite``.
  public static func create(at path: String) throws(RecipeError) {
    try DocumentFile.create(text, at: path)
  }

  /// The default; nil where writing it out would differ from leaving it out.
  private static func standardValue(_ key: RecipeKey) -> RecipeValue? {
    let written = (try? Recipe().values)?[key.path(output: Recipe.onlyOutput)]
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
