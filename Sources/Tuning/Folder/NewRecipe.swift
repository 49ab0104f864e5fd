import Develop
import Foundation
import Recipes
import SystemPackage

/// A recipe that is written beside a raw.
struct NewRecipe {
  private let path: FilePath

  /// The recipe that people call `name`, in `folder`. Throws where that is no plain name of a file.
  init(name: String, in folder: FilePath) throws(RecipeError) {
    let name = name.trimmingCharacters(in: .whitespaces)
    let stem =
      [".yaml", ".yml"].first { name.lowercased().hasSuffix($0) }
      .map { String(name.dropLast($0.count)) } ?? name
    func refuse(_ what: String) -> RecipeError {
      RecipeError(.badSetting, "\(what); give a plain name, as evening")
    }
    guard !stem.isEmpty else { throw refuse("the recipe has no name") }
    guard !stem.hasPrefix(".") else { throw refuse("a name with a point first would be hidden") }
    let isPlain = name.unicodeScalars.allSatisfy {
      !"/\\:".unicodeScalars.contains($0) && $0.properties.generalCategory != .control
    }
    guard isPlain else { throw refuse("the name of a recipe has no / \\ : in it") }
    // It would be taken for the settings of one picture.
    guard !stem.lowercased().hasSuffix(".rawdev") else {
      throw refuse("a name that ends with .rawdev is that of a sidecar")
    }
    let file = stem == name ? name + ".yaml" : name
    // Room for what is added to the name of a file while it is written.
    guard file.utf8.count <= 200 else { throw refuse("the name is too long") }
    path = folder.appending(file)
  }

  /// Writes the recipe of `values` where there is no such file. Returns its path.
  func write(_ values: [String: RecipeValue]) throws(RecipeError) -> FilePath {
    let text = try RecipeDocument.edited(
      nil, of: path.bytes, with: RecipeDocument.changes(from: [:], to: values))
    try DocumentFile.create(text, at: path.bytes)
    return path
  }
}
