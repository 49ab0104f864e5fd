import Develop
import Recipes
import SystemPackage
import Tuning

/// Values that name files. A page may name files in the opened folder, and keep the values of
/// documents: no other file is opened at the request of a page.
struct PathValues: Sendable {
  /// The opened folder, without links.
  let root: FilePath
  /// The raw that the values are for: relative paths start from its folder.
  let raw: FilePath

  /// Throws for a path in `values` that leaves the folder.
  func check(_ values: [String: RecipeValue]) throws(RequestRefusal) {
    if let name = outside(values).first { throw Self.refusal(name) }
  }

  /// The same, except for values that `document` already has.
  func check(_ values: [String: RecipeValue], or document: TuningDocument) throws {
    let outside = outside(values)
    guard !outside.isEmpty else { return }
    let state = try document.state()
    for name in outside {
      let isUnchanged =
        state.own[name] == values[name]
        || state.lines.contains { $0.key == "raw.\(name)" && $0.value == values[name] }
      if !isUnchanged { throw Self.refusal(name) }
    }
  }

  private func outside(_ values: [String: RecipeValue]) -> [String] {
    (RecipeDocument.pathNames + (LookPath.isPath(values["look"]) ? ["look"] : [])).filter { name in
      guard case .text(let path)? = values[name], path != "none" else { return false }
      let joined = raw.removingLastComponent().pushing(FilePath(path))
      guard let found = DocumentFile.resolved(joined.bytes) else { return true }
      return !FilePath(bytes: found).starts(with: root)
    }
  }

  /// The same words whether there is a file or not.
  private static func refusal(_ name: String) -> RequestRefusal {
    .badRequest(
      "\(name): not a file in the opened folder; put it there, or set it in a recipe")
  }
}
