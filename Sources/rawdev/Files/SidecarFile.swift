import Batch
import Develop
import Recipes
import SystemPackage

/// rawdev's own sidecar of a raw, as a file to write.
enum SidecarFile {
  /// Path of the sidecar of the raw at `input`: the existing one, otherwise a new one. Throws where
  /// it is a link that leads out of the raw's folder, as its folder may come from someone else.
  static func path(of input: String) throws -> [UInt8] {
    let raw = ArgumentPath.absolute(input)
    let name = raw.lastComponent?.bytes ?? []
    let folder = raw.removingLastComponent()
    let found = try SidecarFinder(folder: folder.bytes).sidecars(of: name)
    let own = found.own.map { FilePath(bytes: $0) }
    let path = own ?? folder.pushing(FilePath(bytes: name + Array(".rawdev.yaml".utf8)))
    if let file = path.lastComponent {
      try Folders.requireNoWayOut(
        of: folder, to: FilePath(root: nil, components: file), isFollowed: true)
    }
    return path.bytes
  }

  /// Writes the values into the sidecar at `path`.
  static func save(_ values: RecipeValue, to path: [UInt8]) throws(DevelopError) {
    do {
      try RecipeDocument.set(
        LayeredRecipe([RecipeLayer(.commandLine, "--set", values: values)]).entries.map {
          RecipeDocument.Setting($0.path, $0.value)
        }, in: path, creates: true)
    } catch { throw .recipe(error) }
  }
}
