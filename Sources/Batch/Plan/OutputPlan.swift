import Recipes
import SystemPackage

/// Where the outputs of one source go.
struct OutputPlan: Sendable, Hashable {
  struct File: Sendable, Hashable {
    /// Path relative to the output folder.
    var path: FilePath
    /// Where it is made, relative to the output folder: in the same folder, under a name that follows from the
    /// final one and the run, so that a machine that is thought dead and is not never writes into the file of
    /// its replacement, and it is short whatever the name. Journals tell what runs left.
    var staged: FilePath
  }

  /// By the output's name in the recipe.
  var files: [String: File]

  /// Files of these paths below the output folder.
  init(_ paths: [String: FilePath]) {
    files = paths.mapValues { Self.file($0, run: "") }
  }

  /// The same, made by `run`.
  func made(by run: String) -> OutputPlan {
    var plan = self
    plan.files = files.mapValues { Self.file($0.path, run: run) }
    return plan
  }

  private static func file(_ path: FilePath, run: String) -> File {
    let name = path.lastComponent?.bytes ?? []
    let digest = Digest.of(run.isEmpty ? name : Array(run.utf8) + [0] + name)
    return File(
      path: path,
      staged: path.removingLastComponent().appending(".rawdev-\(digest.prefix(24)).part"))
  }

  /// The temporary name under which a staged file is written before it is whole.
  static func unfinished(_ staged: FilePath) -> FilePath {
    staged.removingLastComponent()
      .appending("." + (staged.lastComponent?.string ?? "") + ".rawdev-tmp")
  }

  /// The key of what is up to date: source, recipe, engine and places.
  func key(source: SourceFacts, recipe: String, engine: String) -> String {
    let places = files.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.path.text)" }
    return Digest.of(
      ([source.sha256, recipe, engine] + places).joined(separator: "\n"))
  }
}
