public import Foundation
import RawFilter

/// The table of all adjustable properties as documents: `Docs/properties.md` and the JSON schema of
/// the development settings in a recipe.
public enum PropertyTable {
  /// The page `Docs/properties.md`.
  public static var markdown: String {
    var lines = [
      "# Adjustable properties", "",
      "Made by `rawdev properties --markdown`. Names are those of `RAWFilter` and of recipes; the option",
      "of `rawdev develop` is `--` and the name in the last column.", "",
      "| property | range | neutral | default | what it does | interplay | option |",
      "|---|---|---|---|---|---|---|",
    ]
    lines += RAWProperty.all.map { p in
      let range = p.range.isEmpty ? p.kind.rawValue : p.range
      return
        "| `\(p.name)` | \(range) | \(p.neutral) | \(p.standard) | \(p.summary) | \(p.interplay)"
        + " | `\(p.option)` |"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// JSON Schema (2020-12) of `RAWSettings`, which is the `raw` part of a recipe.
  public static var schema: Data { Data(RecipeSchema.raw.json.utf8) }

  /// The table for people at a terminal.
  public static var text: String {
    RAWProperty.all.map { p in
      ([p.name.padding(toLength: max(28, p.name.count + 1), withPad: " ", startingAt: 0) + p.help]
        + (p.interplay.isEmpty ? [] : [String(repeating: " ", count: 28) + p.interplay]))
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
