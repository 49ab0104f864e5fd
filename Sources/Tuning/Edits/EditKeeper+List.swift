import Develop
import HDRRender
import RawFilter
import Recipes
import Synchronization
import SystemPackage

/// The list of pictures as their edits are now, saved or not.
extension EditKeeper {
  /// Up to `count` entries of the folder from `first` on.
  package func entries(from first: Int, count: Int) -> [TuningFolder.Entry] {
    let pictures = folder.pictures(from: first, count: count).map { (id: $0.id, picture: $0) }
    let own = state.withLock { state in pictures.map { state.book[$0.id]?.own } }
    return zip(pictures, own).map { $0.picture.entry($1) }
  }

  /// The entry of the raw `id`; nil where there never was one of this path.
  package func entry(_ id: PictureID) -> TuningFolder.Entry? {
    guard let picture = folder.state.withLock({ $0[id] }) else { return nil }
    let own = state.withLock { $0.book[id]?.own }
    return picture.entry(own)
  }

  /// The raw `id` at its edit above the documents `applied`, no side longer than `side` pixels
  /// (16…8192), as a JPEG in sRGB. Made when nothing else is rendered, and cached as long as
  /// ``TuningFolder/Entry/revision`` stays; `session`, where the picture is tuned, has much of it
  /// in its caches. A cancelled task ends it.
  package func thumbnail(
    _ id: PictureID, side: Int, applied: AppliedDocuments, session: TuningSession?
  ) async throws -> [UInt8] {
    let thumbnail = RawThumbnail(side: min(max(side, 16), 8192))
    if let known = folder.thumbnails[try thumbnailKey(id, thumbnail).key] { return known }
    return try await RenderQueue.shared.runIdle { [self] in
      let (path, key) = try thumbnailKey(id, thumbnail)
      if let known = folder.thumbnails[key] { return known }
      var raw = try session?.filter ?? TuningFolder.open(path)
      let document = try TuningDocument(
        path: path, filter: raw, applied: applied, below: folder.root)
      let own = state.withLock { $0.book[id]?.own }
      let recipe = try document.recipe(own ?? OwnSidecar(of: path, below: folder.root).applied)
      var output = Recipe.Output()
      output.format = .pngSDR
      raw.settings = recipe.settings(for: output)
      raw.keepsReduced = session != nil
      if let limit = recipe.render.headroomLimit { try raw.limitHeadroom(to: limit) }
      let jpeg = try thumbnail.developed(raw)
      folder.thumbnails.insert(jpeg, for: key)
      return jpeg
    }
  }

  private func thumbnailKey(
    _ id: PictureID, _ thumbnail: RawThumbnail
  ) throws -> (path: FilePath, key: ThumbnailCache.Key) {
    let (path, status) = try folder.checked(id)
    return (
      path,
      ThumbnailCache.Key(path: path, status, side: thumbnail.side, edit: entry(id)?.revision ?? "")
    )
  }
}
