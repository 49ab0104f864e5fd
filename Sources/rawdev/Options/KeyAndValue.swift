import ArgumentParser
import RawFilter
import Recipes

/// `KEY=VALUE` on the command line. The key is as in recipes, `raw.exposure`; for `raw` and
/// `render` also its last part or the name of its option, `exposure`, `temperature`. The value is
/// written as in YAML.
enum KeyAndValue {
  /// `option` comes first in messages.
  static func parse(
    _ text: String, option: String = ""
  ) throws -> (path: RecipePath, value: RecipeValue) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ValidationError(
        "\(option)\(text): give KEY=VALUE, for example raw.exposure=0.5")
    }
    let path = path(String(text[..<equals]))
    let written = String(text[text.index(after: equals)...])
    let document = try RecipeDocument(text: "value: \(written)", path: "\(option)\(text)")
    let value = document.values["value"] ?? .null
    return FormerNames.present(LookPath.present(path, value), value)
  }

  /// The key that `text` names.
  static func path(_ text: String) -> RecipePath {
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = RecipePath(keys.map { .key($0) })
    guard keys.count == 1, RecipeKey.at(path) == nil else { return path }
    if let adjustment = Adjustment.declared.first(where: { $0.options.contains(text) }) {
      return RecipePath(keys: "raw", adjustment.name)
    }
    let rendering = RecipePath(keys: "render", text)
    if RecipeKey.at(rendering) != nil || FormerNames.isOfFrame(text) { return rendering }
    // For unknown keys the nearest key of the development is suggested.
    let isGroup = RecipeKey.all.contains { $0.path.hasPrefix("\(text).") }
    return isGroup ? path : RecipePath(keys: "raw", text)
  }
}
