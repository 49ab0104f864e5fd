import Batch
import Develop
import Dispatch
import Foundation
import RawFilter
import Recipes
import SystemPackage
import Tuning

/// The raws that pages work on. The one that was not asked for longest is closed, so that memory
/// stays bounded however many pictures a person goes through.
actor OpenPictures {
  /// An opened raw.
  struct Picture: Sendable {
    let id: PictureID
    let path: FilePath
    let session: TuningSession
    let document: TuningDocument
    fileprivate let root: FilePath

    /// The settings for the values `own` of a page. Throws for invalid values, and for paths
    /// outside the folder.
    func settings(_ own: [String: RecipeValue]) throws -> RAWSettings { try recipe(own).raw }

    /// The same with all else that the documents say.
    func recipe(_ own: [String: RecipeValue]) throws -> Recipe {
      try document.recipe(checked(own))
    }

    /// `own`. Throws for paths out of the folder that no document names.
    func checked(_ own: [String: RecipeValue]) throws -> [String: RecipeValue] {
      try PathValues(root: root, raw: path).check(own, or: document)
      return own
    }
  }

  private struct Entry {
    var id: PictureID
    var opening: Task<Picture, any Error>
  }

  private let folder: TuningFolder
  private let applied: AppliedDocuments
  private let limit: Int
  private let executor = RenderExecutor("rawdev.open", .userInitiated)
  /// The most recently used last.
  private var entries: [Entry] = []

  init(_ folder: TuningFolder, applied: AppliedDocuments, limit: Int) {
    (self.folder, self.applied, self.limit) = (folder, applied, limit)
  }

  /// The opened raw `id`. Throws where it is unknown, replaced, or cannot be opened.
  func picture(_ id: PictureID) async throws -> Picture {
    let path: FilePath
    do { path = try folder.path(id) } catch {
      entries.removeAll { $0.id == id }
      throw error
    }
    if let index = entries.firstIndex(where: { $0.id == id }) {
      let entry = entries.remove(at: index)
      entries.append(entry)
      return try await entry.opening.value
    }
    let opening = Task(executorPreference: executor) { [root = folder.root, applied] in
      let session = try TuningSession(path: path.bytes)
      let document = try TuningDocument(
        path: path, filter: session.filter, applied: applied, below: root)
      return Picture(id: id, path: path, session: session, document: document, root: root)
    }
    entries.append(Entry(id: id, opening: opening))
    if entries.count > limit { entries.removeFirst(entries.count - limit) }
    do { return try await opening.value } catch {
      // Tried again the next time, as the file may have been incomplete.
      entries.removeAll { $0.id == id && $0.opening == opening }
      throw error
    }
  }

  /// The raw `id` if it is open already, without counting as use.
  func known(_ id: PictureID) async -> Picture? {
    try? await entries.first { $0.id == id }?.opening.value
  }

  /// All that are open.
  func all() async -> [Picture] {
    var pictures: [Picture] = []
    for entry in entries {
      if let picture = try? await entry.opening.value { pictures.append(picture) }
    }
    return pictures
  }
}
