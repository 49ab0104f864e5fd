import Foundation
import Testing

@testable import Recipes

@Suite struct RecipeReferenceTests {
  @Test func pageIsUpToDate() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Docs/recipes.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8) == RecipeReference.markdown,
      "run: rawdev recipe reference > Docs/recipes.md")
  }

  /// The examples on the page are valid.
  @Test func examplesAreSound() throws {
    let parts = RecipeReference.markdown.components(separatedBy: "```yaml\n").dropFirst()
    #expect(parts.count == 4)
    for part in parts {
      let text = try #require(part.components(separatedBy: "```").first)
      let document = try RecipeDocument(text: text, path: "example.yaml")
      #expect(document.problems(isDefaults: text.contains("root:")).isEmpty)
    }
  }

  @Test func everyKeyIsOnThePage() {
    let page = RecipeReference.markdown
    for key in RecipeKey.all {
      let prefixes = ["raw.", "render.", "rules.match.", "outputs.*."]
      let prefix = prefixes.first(where: key.path.hasPrefix) ?? ""
      #expect(page.contains("| `\(key.path.dropFirst(prefix.count))` |"), "\(key.path)")
    }
  }
}
