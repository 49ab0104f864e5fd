import Develop
import Foundation
import Recipes
import SystemPackage

/// A recipe that is written beside a raw.
struct NewRecipe {
  /// Its file.
  let path: FilePath

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
    guard !stem.hasPrefix(".") else {
      throw refuse("a name that starts with a dot would be hidden")
    }
    let isPlain = name.unicodeScalars.allSatisfy {
      !"/\\:".unicodeScalars.contains($0) && $0.properties.generalCategory != .control
    }
    guard isPlain else { throw refuse("the name of a recipe must not contain / \\ :") }
    // It would be read as the settings of one picture.
    guard !stem.lowercased().hasSuffix(".rawdev") else {
      throw refuse("names that end with .rawdev are reserved for sidecars")
    }
    let file = stem == name ? name + ".yaml" : name
    // Room for what is added to the name of a file while it is written.
    guard file.utf8.count <= 200 else { throw refuse("the name is too long") }
    path = folder.appending(file)
  }

  /// Writes the recipe of `values` unless the file exists. Returns its path.
  func write(_ values: [String: RecipeValue]) throws(RecipeError) -> FilePath {
    let text = try RecipeDocument.edited(
      nil, of: path.bytes, with: RecipeDocument.changes(from: [:], to: values))
    try DocumentFile.create(text, at: path.bytes)
    return path
  }
}
