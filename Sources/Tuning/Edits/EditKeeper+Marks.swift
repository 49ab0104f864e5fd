import Batch
import Develop
import Formats
import RawFilter
import Recipes
import Synchronization
package import SystemPackage

/// Stars and picks of pictures, which go into sidecars at once.
extension EditKeeper {
  /// Marks the pictures `ids`; all else in their sidecars stays. Returns what failed.
  package func mark(
    _ ids: [PictureID], _ change: MarkChange
  ) async -> [PictureID: any Error] {
    await each(ids) { [self] id, names in
      let path = try folder.path(id)
      let listing = names[path.removingLastComponent()]
      let weaker = folder.state.withLock { $0[id]?.weakerMarks } ?? PictureMarks()
      try OwnSidecar.edit(path, below: folder.root, among: listing) { _ in
        SidecarSummary.settings(change, over: weaker)
      }
      let sidecar = OwnSidecar(of: path, below: folder.root)
      folder.state.withLock { $0.take(SidecarSummary(sidecar), of: id) }
      // A decision about a conflict holds for the sidecar as it is now.
      if state.withLock({ $0.book[id] != nil }) { _ = try edit(id) }
    }
  }

  /// Writes the marks of the pictures `ids` into the XMP of other programs beside them, of which
  /// nothing else is changed, or into a new file `photo.ext.xmp`. Returns the path of each file
  /// that is then there, and what failed.
  package func writeXMP(
    _ ids: [PictureID]
  ) async -> (paths: [PictureID: FilePath], failed: [PictureID: any Error]) {
    let paths = Mutex<[PictureID: FilePath]>([:])
    let failed = await each(ids) { [self] id, names in
      let path = try folder.path(id)
      let file = try XMPFile(of: path, below: folder.root)
      let sidecar = OwnSidecar(of: path, below: folder.root, among: nil)
      if let problem = sidecar.problem, sidecar.document == nil { throw problem }
      let status = try folder.checked(id).status
      let inRaw = try? RawDetails(TuningFolder.open(path), status).marks
      let marks = SidecarSummary(sidecar).marks(over: file.marks ?? inRaw ?? PictureMarks())
      try file.write(marks)
      if FileStatus(file.path) != nil { paths.withLock { $0[id] = file.path } }
    }
    return (paths.withLock { $0 }, failed)
  }

  /// Calls `body` for each of `ids`, a few at a time.
  private func each(
    _ ids: [PictureID], _ body: @escaping @Sendable (PictureID, FolderNames) throws -> Void
  ) async -> [PictureID: any Error] {
    let names = FolderNames()
    return await withTaskGroup(of: (PictureID, (any Error)?).self) { group in
      for id in Set(ids) {
        group.addTask {
          do {
            try await self.work.run { try body(id, names) }
            return (id, nil)
          } catch { return (id, error) }
        }
      }
      return await group.reduce(into: [:]) { failures, result in
        failures[result.0] = result.1
      }
    }
  }
}
