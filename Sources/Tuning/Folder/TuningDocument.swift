import Batch
import Develop
import Foundation
package import RawFilter
package import Recipes
import Synchronization
package import SystemPackage

/// The settings of one raw, the origin of each value, and the sidecar that stores them.
/// Thread-safe.
///
/// Documents are read by ``state()``, and after each change made here; in between, that content is
/// used. A sidecar that cannot be read, parsed or used, or that has an old form, has a problem and
/// is never written, not even by force. Files are written completely or not at all. Two writers in
/// one process take turns; changes by other processes are detected by the content of the file up to
/// the moment before it is replaced.
package final class TuningDocument: Sendable {
  /// The settings of a raw as they are on disk.
  package struct State: Sendable, Codable {
    /// The values that the sidecar sets itself, by the name of the property; values of documents
    /// that it extends are excluded, and it is empty where the sidecar is unusable. `null` is the
    /// default, overriding weaker layers.
    package var own: [String: RecipeValue]
    /// Every value of a property with where it comes from, the sidecar included.
    package var lines: [RecipeExplanation.Line]
    /// The same without ``own``: what remains when a value of it is removed.
    package var inherited: [RecipeExplanation.Line]
    /// The path of the sidecar, for display; if it does not exist, the path to create.
    package var path: String
    /// Whether there is a sidecar.
    package var exists: Bool
    /// Identifies the content of the sidecar, and the raw that it is for.
    package var revision: String
    /// Why the sidecar, or a document that bears on the raw, cannot be used, with its line; nil
    /// where all can.
    package var problem: String?
    /// Settings of other programs that were not imported, and other notes.
    package var notes: [String]
  }

  /// Why something was not stored.
  package enum Refusal: LocalizedError, Sendable {
    /// The sidecar changed on disk since `revision`; the state is what it is now.
    case changed(State)
    /// The file is not the raw any more that this was opened for; the text says so.
    case another(String)

    /// What happened, for people.
    package var errorDescription: String? {
      switch self {
      case .another(let text): text
      default: "the settings beside the raw were changed by another program; nothing was written"
      }
    }
    /// What to do next.
    package var recoverySuggestion: String? { "reload the settings, and change these" }
  }

  private struct Known {
    var base: [RecipeLayer]
    /// Relative paths in settings start from the folder of this file.
    var sidecar: [UInt8]
    var last: (own: [String: RecipeValue], recipe: Recipe)?
  }

  private let path: FilePath
  private let root: FilePath
  /// Identifies the file that was opened.
  private let file: UInt64
  private let picture: RecipeResolver.Picture
  private let applied: AppliedDocuments
  private let known = Mutex(Known(base: [], sidecar: []))

  /// The settings of `filter`, the raw at `path`, above the documents `applied`. Files are written
  /// only below `root`, an absolute path; nil is the folder of the raw. A sidecar that is a link
  /// outside of it cannot be used, and defaults behind one are not written.
  package init(
    path: FilePath, filter: RAWFilter, applied: AppliedDocuments = AppliedDocuments(),
    below root: FilePath? = nil
  ) throws {
    self.applied = applied
    self.path = FilePath(bytes: DocumentFile.absolute(path.bytes))
    self.root = root ?? self.path.removingLastComponent()
    file = PictureID.file(FileStatus(self.path))
    let source = SourceInfo(filter, xxh128: "")
    picture = RecipeResolver.Picture(
      path: self.path.bytes, info: source.picture, raw: source.raw, embedded: source.xmp)
    _ = try state()
  }

  /// Reads all documents again.
  package func state() throws -> State {
    let reading = DocumentReading(picture, below: root, applied)
    let (sidecar, base) = (reading.sidecar, reading.base)
    known.withLock { $0 = Known(base: base, sidecar: sidecar.path) }
    return State(
      own: reading.own, lines: Self.lines(reading.layers), inherited: Self.lines(base),
      path: FilePath(bytes: sidecar.path).shown, exists: sidecar.bytes != nil,
      revision: sidecar.revision(for: file), problem: reading.problem?.description,
      notes: reading.notes)
  }

  private static func lines(_ layers: [RecipeLayer]) -> [RecipeExplanation.Line] {
    RecipeExplanation(LayeredRecipe(layers)).lines.filter { $0.key.hasPrefix("raw.") }
  }

  /// The settings of the raw if its sidecar gave the values `own`. Reads no file.
  package func settings(_ own: [String: RecipeValue]) throws -> RAWSettings { try recipe(own).raw }

  /// The same with all else that the documents say: headroom limit, outputs.
  package func recipe(_ own: [String: RecipeValue]) throws -> Recipe {
    let (base, sidecar, last) = known.withLock { ($0.base, $0.sidecar, $0.last) }
    if let last, last.own == own { return last.recipe }
    let values = RecipeValue.map(["raw": .map(own)])
    let document = RecipeDocument(values: values, for: sidecar)
    let layer = RecipeLayer(.sidecar, "the settings", values: values, document: document)
    let recipe = try Recipe(LayeredRecipe(base + [layer]))
    known.withLock { if $0.base == base { $0.last = (own, recipe) } }
    return recipe
  }

  // MARK: Keeping

  /// Makes the sidecar give `own` and no other values of properties; all else in it stays, comments
  /// and keys that are not known included. Throws ``Refusal/changed(_:)`` where it is not as at
  /// `revision`, made or removed meanwhile included, unless `force`, and ``Refusal/another(_:)``
  /// where the raw is another file than was opened. Returns the state that is then on disk.
  ///
  /// A sidecar that then holds only `schema: 1` is removed.
  package func save(
    _ own: [String: RecipeValue], revision: String, force: Bool = false
  ) throws -> State {
    guard PictureID.file(FileStatus(path)) == file else {
      throw Refusal.another("\(path.shown): the file was replaced by another picture; reopen it")
    }
    try OwnSidecar.edit(path, below: root) { sidecar in
      guard force || sidecar.revision(for: file) == revision else {
        throw Refusal.changed(try state())
      }
      return RecipeDocument.changes(from: sidecar.own, to: own)
    }
    return try state()
  }

  /// Keeps `values` as a recipe of its own in the file `name` of the folder of the raw; `.yaml` is
  /// added where it lacks. Never replaces a file, and takes no name of a folder, of a hidden file
  /// or of a sidecar.
  package func saveRecipe(_ values: [String: RecipeValue], name: String) throws -> FilePath {
    try NewRecipe(name: name, in: path.removingLastComponent()).write(values)
  }

  /// Keeps `values` as defaults of the folder of the raw, in its `.rawdev/defaults.yaml`, beside
  /// what that holds: other keys, rules and comments stay. One way of giving the white replaces the
  /// others.
  package func saveFolderDefaults(_ values: [String: RecipeValue]) throws -> FilePath {
    try FolderDefaultsFile(of: path.removingLastComponent(), below: root).write(values)
  }
}
