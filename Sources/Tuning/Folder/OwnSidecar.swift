import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
import Recipes
import Synchronization
import SystemPackage

/// rawdev's own sidecar of a raw, as it is on disk at one moment.
struct OwnSidecar {
  /// Its path; if it does not exist, the path to create.
  private(set) var path: [UInt8]
  /// Its bytes; nil if missing or unreadable.
  private(set) var bytes: [UInt8]?
  /// Its content; nil if missing or unreadable.
  private(set) var document: RecipeDocument?
  /// Why it may not be written, or not even be used.
  private(set) var problem: RecipeError?

  /// Finds the sidecar of the raw at `raw`, an absolute path, and reads it, unless it is a link
  /// that points outside `root`. `names` is a recent listing of its folder; nil lists it now.
  init(of raw: FilePath, below root: FilePath, among names: FolderListing? = nil) {
    let name = raw.lastComponent?.bytes ?? []
    let folder = raw.removingLastComponent()
    path = folder.pushing(FilePath(bytes: name + Array(".rawdev.yaml".utf8))).bytes
    do throws(RecipeError) {
      let found =
        if let names {
          try SidecarFinder(folder: folder.bytes, listing: names).own(name)
        } else {
          try SidecarFinder.own(name, in: folder.bytes)
        }
      guard let found else { return }
      path = found
      try FolderScan.requireInside(FilePath(bytes: found), root)
      bytes = try DocumentFile.bytes(found)
      guard let bytes else { throw Self.danglingLink(found) }
      document = try RecipeDocument(bytes, of: found)
      problem = try document.flatMap(Self.problem)
    } catch {
      problem = error
    }
  }

  private static func danglingLink(_ path: [UInt8]) -> RecipeError {
    RecipeError(
      .cannotRead, "this is a link to a missing file; remove it, or restore the file",
      path: FilePath(bytes: path).shown)
  }

  /// Why a document that can be read may not be written. Throws where it cannot be used by itself.
  private static func problem(_ document: RecipeDocument) throws(RecipeError) -> RecipeError? {
    let layers = try RecipeChain.documents([document]).map { RecipeLayer(.sidecar, "sidecar", $0) }
    _ = try Recipe(LayeredRecipe(layers))
    return document.migrated.first.map { change in
      document.error(
        .badSetting,
        "an old form: \(change.message); migrate it first",
        at: change.path, remedies: [.migrateRecipe])
    }
  }

  /// Identifies the content; empty where there is no sidecar.
  var revision: String {
    if let bytes { return Digest.of(bytes) }
    return problem.map { Digest.of(Array($0.description.utf8)) } ?? ""
  }

  /// The same combined with the raw that it is for, identified by `file`.
  func revision(for file: UInt64) -> String { Self.revision(revision, for: file) }

  /// The revision of what `edit` left, together with the raw.
  static func revision(_ content: String, for file: UInt64) -> String {
    "\(content)-\(String(file, radix: 16))"
  }

  /// The values of properties that it gives itself, by name.
  var own: [String: RecipeValue] { document?.ownProperties ?? [:] }

  /// The same where it can be used: it is in order, or of an old form.
  var applied: [String: RecipeValue] {
    problem == nil || document?.migrated.isEmpty == false ? own : [:]
  }

  // MARK: Writing

  /// A file has one writer at a time within this process; others are noticed by the bytes that they
  /// wrote. Files of different turns are written side by side: each waits for the disk twice.
  private final class Turn: Sendable { let lock = Mutex(()) }
  private static let turns = (0..<64).map { _ in Turn() }

  /// The lock of the file that is written, with links followed.
  private var turn: Turn {
    let file = DocumentFile.resolved(path) ?? path
    return Self.turns[Int(UInt(bitPattern: file.hashValue) % UInt(Self.turns.count))]
  }

  /// Changes the sidecar of the raw at `raw` as `changes` says of the one that is there. Throws
  /// where that has a problem. Returns the revision that is then on disk. `names` of its folder are
  /// believed as long as all goes well: one that is new is never replaced.
  @discardableResult
  static func edit(
    _ raw: FilePath, below root: FilePath, among names: FolderListing? = nil,
    _ changes: (OwnSidecar) throws -> [RecipeDocument.Setting]
  ) throws -> String {
    var names = names
    while true {
      let sidecar = OwnSidecar(of: raw, below: root, among: names)
      if names != nil, sidecar.problem != nil || sidecar.isThereSince {
        names = nil
        continue
      }
      let settings = try changes(sidecar)
      if let problem = sidecar.problem { throw problem }
      if let revision = try sidecar.turn.lock.withLock({ _ in try sidecar.write(settings) }) {
        return revision
      }
      names = nil
    }
  }

  /// Whether there is one by now, of which a listing of a moment before knew nothing.
  private var isThereSince: Bool {
    bytes == nil && (try? Stat(FilePath(bytes: path), followTargetSymlink: false)) != nil
  }

  /// Writes the sidecar with `settings`, and returns its new revision. Returns nil, and writes
  /// nothing, where it was changed meanwhile. A sidecar left with only its `schema`, and without
  /// comments or unknown keys, is removed; a link stays, as its target may be used by others.
  private func write(_ settings: [RecipeDocument.Setting]) throws(RecipeError) -> String? {
    guard !settings.isEmpty else { return revision }
    let text = try RecipeDocument.edited(bytes, of: path, with: settings)
    if text == bytes.map({ String(decoding: $0, as: UTF8.self) }) { return revision }
    guard try DocumentFile.bytes(path) == bytes else { return nil }
    guard let bytes else {
      if text == RecipeDocument.emptyText { return revision }
      do { try DocumentFile.create(text, at: path) } catch {
        if error.code == .exists { return nil }
        throw error
      }
      return Digest.of(Array(text.utf8))
    }
    let file = FilePath(bytes: path)
    let isLink = (try? Stat(file, followTargetSymlink: false))?.type == .symbolicLink
    if text == RecipeDocument.emptyText, !isLink {
      try Self.remove(file)
      return ""
    }
    guard try DocumentFile.replace(path, of: bytes, with: text) else { return nil }
    return Digest.of(Array(text.utf8))
  }

  private static func remove(_ file: FilePath) throws(RecipeError) {
    guard unsafe file.withPlatformString({ unsafe unlink($0) }) != 0, errno != ENOENT else {
      return
    }
    let reason = Errno(rawValue: errno)
    throw RecipeError(
      .cannotWrite, "cannot remove the sidecar: \(reason); check the permissions of the folder",
      path: file.shown)
  }
}

extension RecipeDocument {
  /// The values of properties that it sets itself, by name; unknown keys excluded.
  var ownProperties: [String: RecipeValue] {
    guard case .map(let raw)? = values["raw"] else { return [:] }
    return raw.filter { Self.propertyNames.contains($0.key) }
  }

  static let propertyNames = Set(RAWProperty.all.map(\.name))

  /// The changes from the properties `old` to `new`. Additions come first, so that the comments
  /// around the last removed one stay.
  static func changes(
    from old: [String: RecipeValue], to new: [String: RecipeValue]
  ) -> [Setting] {
    let order = RAWProperty.all.map(\.name)
    let others = Set(new.keys).subtracting(order).sorted()
    let set = (order + others).filter { new[$0] != nil && new[$0] != old[$0] }
    let removed = order.filter { new[$0] == nil && old[$0] != nil }
    return (set + removed).map { Setting(RecipePath(keys: "raw", $0), new[$0]) }
  }

  /// `old` with `values` set, or removed where they are nil. The ways of giving the white are
  /// alternatives, as between layers: one that is set removes the others.
  static func merged(
    _ values: [String: RecipeValue?], into old: [String: RecipeValue]
  ) -> [String: RecipeValue] {
    var new = old
    let whites = LayeredRecipe.whiteKeys
    if values.contains(where: { whites.contains($0.key) && $0.value != nil }) {
      for key in whites { new[key] = nil }
    }
    for (key, value) in values { new[key] = value }
    return new
  }
}
