import Batch
import Develop
import Foundation
package import Recipes
import Synchronization
import SystemPackage

/// Looks: those of the program, and recipes in a folder of the user, to which others can be saved.
/// Thread-safe; files are read each time.
package final class LookLibrary: Sendable {
  private let folder: RecipeFolder?
  private let writing = Mutex(())

  /// The first line of recipes that were saved here: no other file is replaced or removed.
  private static let mark = "# A look that was saved on the page of rawdev tune.\n"
  /// Files of a folder that are listed.
  private static let limit = 500

  /// Looks of the program, and of `folder`, which is made when the first one is saved; nil for
  /// none.
  package init(_ folder: RecipeFolder?) { self.folder = folder }

  /// All looks: those of the program, then the others by their titles. Recipes that set nothing of
  /// a look are left out; those that cannot be used have a problem.
  package func all() -> [Look] {
    let builtIn = BundledLook.all.map {
      Look(
        id: $0.recipeName, title: $0.title, kind: .builtIn, values: $0.completeValues, problem: nil)
    }
    let own = files.compactMap(look).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    return builtIn + own
  }

  /// Saves what makes a look of `values` as `title`, in place of a look that was saved with the
  /// same one. Throws where there is nothing to save, the title is no name of a file, or the file
  /// is a recipe that was not saved here.
  package func save(_ values: [String: RecipeValue], title: String) throws {
    guard let folder else {
      throw RecipeError(.cannotWrite, "there is no folder for looks; set HOME and start again")
    }
    let directory = FilePath(bytes: folder.path)
    let values = LookValues.values(of: values)
    guard !values.isEmpty else {
      throw RecipeError(
        .badSetting, "nothing is set that makes a look; change tones or colors first")
    }
    let path = try NewRecipe(name: title, in: directory).path
    let settings =
      [RecipeDocument.Setting(RecipePath(keys: "name"), .text(title))]
      + RecipeDocument.changes(from: [:], to: values)
    let text = try Self.mark + RecipeDocument.edited(nil, of: path.bytes, with: settings)
    try writing.withLock { _ in
      // Again where another program wrote it meanwhile.
      while true {
        guard let bytes = try DocumentFile.bytes(path.bytes) else {
          try Folders.create(directory)
          return try DocumentFile.create(text, at: path.bytes)
        }
        guard Self.isSaved(bytes) else {
          throw RecipeError(
            .exists, "a recipe of this name was not saved here; choose another title",
            path: path.shown)
        }
        if try DocumentFile.replace(path.bytes, of: bytes, with: text) { return }
      }
    }
  }

  /// Removes the look `id`. Throws where there is none, or it was not saved here.
  package func remove(_ id: String) throws {
    try writing.withLock { _ in
      guard let file = files.first(where: { $0.id == id }) else {
        throw RecipeError(.cannotRead, "there is no such look; reload the page")
      }
      guard let bytes = try DocumentFile.bytes(file.path.bytes), Self.isSaved(bytes) else {
        throw RecipeError(
          .badSetting, "this look was not saved here; remove its file yourself",
          path: file.path.shown)
      }
      guard unsafe file.path.withPlatformString({ unsafe unlink($0) }) != 0, errno != ENOENT else {
        return
      }
      throw RecipeError(
        .cannotWrite,
        "cannot remove the look: \(Errno(rawValue: errno)); check the permissions of the folder",
        path: file.path.shown)
    }
  }

  private struct File {
    let id: String
    /// The name without its ending.
    let stem: String
    let path: FilePath
  }

  private var files: [File] {
    guard let folder else { return [] }
    return folder.files.prefix(Self.limit).map { name, file in
      File(id: "file:" + file, stem: name, path: FilePath(bytes: folder.path).appending(file))
    }
  }

  private func look(_ file: File) -> Look? {
    var look = Look(id: file.id, title: file.stem, kind: .recipe, values: [:], problem: nil)
    do throws(RecipeError) {
      guard let bytes = try DocumentFile.bytes(file.path.bytes) else { return nil }
      if Self.isSaved(bytes) { look.kind = .saved }
      let document = try RecipeDocument(bytes, of: file.path.bytes)
      if case .text(let title)? = document.values["name"], !title.isEmpty { look.title = title }
      let layers = LayeredRecipe(try RecipeLayer.recipes([document]))
      _ = try Recipe(layers)
      if case .map(let raw)? = layers.values["raw"] { look.values = LookValues.values(of: raw) }
    } catch {
      look.problem = error.description
      return look
    }
    return look.values.isEmpty ? nil : look
  }

  private static func isSaved(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark.utf8) }
}
