import Develop
import Recipes
import SystemPackage

/// rawdev's own sidecar of a raw, as a file to write.
enum SidecarFile {
  /// Path of the sidecar of the raw at `input`: the one that is there, else a new one.
  static func path(of input: String) throws -> [UInt8] {
    let raw = ArgumentPath.absolute(input)
    let name = raw.lastComponent?.bytes ?? []
    let folder = raw.removingLastComponent()
    let found = try SidecarFinder(folder: folder.bytes).sidecars(of: name)
    return found.own ?? folder.pushing(FilePath(bytes: name + Array(".rawdev.yaml".utf8))).bytes
  }

  /// Writes the values into the sidecar of the raw at `input`.
  static func save(_ values: RecipeValue, for input: String) throws(DevelopError) {
    do {
      try RecipeDocument.set(
        LayeredRecipe([RecipeLayer(.commandLine, "--set", values: values)]).entries.map {
          RecipeDocument.Setting($0.path, $0.value)
        }, in: path(of: input), creates: true)
    } catch let error as RecipeError { throw .recipe(error) } catch {
      throw .recipe(RecipeError(.cannotWrite, "\(error)", path: input))
    }
  }
}
