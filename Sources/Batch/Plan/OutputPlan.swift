import Develop
import Formats
import Recipes
import SystemPackage

/// The paths of the outputs of one source.
struct OutputPlan: Sendable, Hashable {
  struct File: Sendable, Hashable {
    /// Path relative to the output folder.
    var path: FilePath
    /// Path while it is written, relative to the output folder: in the same folder, named by a hash
    /// of the final name and the run. So it is short, and a machine that is presumed dead never
    /// writes to a file of its replacement. Journals record it.
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

  /// The temporary name under which earlier releases wrote the staged file itself.
  static func unfinished(_ staged: FilePath) -> FilePath {
    FilePath(bytes: AtomicFile.temporary(of: staged.bytes))
  }

  /// Whether a path in a journal is below the output folder. Journals may come with folders from
  /// untrusted sources.
  static func isBelowFolder(_ path: FilePath) -> Bool {
    !path.isTooLong && path.isRelative && path.lastComponent != nil
      && path.components.allSatisfy { $0.kind == .regular }
  }

  /// Whether such a path is a staged file.
  static func isStaged(_ path: FilePath) -> Bool {
    guard isBelowFolder(path), let name = path.lastComponent?.string else { return false }
    return name.hasPrefix(".rawdev-") && name.hasSuffix(".part")
  }

  /// Removes the staged files of the outputs in `folder`.
  func discard(in folder: FilePath) {
    for file in files.values { Self.remove(staged: folder.pushing(file.staged)) }
  }

  /// Removes a staged file, complete or not.
  static func remove(staged: FilePath) {
    Folders.remove(staged)
    Folders.remove(unfinished(staged))
  }

  /// Digest of everything that outputs depend on: source, recipe, engine and output paths.
  func key(source: SourceInfo, recipe: String, engine: String) -> String {
    let paths = files.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.path.text)" }
    return Digest.of(([source.xxh128, recipe, engine] + paths).joined(separator: "\n"))
  }
}
