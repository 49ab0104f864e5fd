import Batch
import Develop
import Foundation
import Recipes
import Synchronization
import SystemPackage

extension EditKeeper {
  /// Saves the edit of `id`, held or not; what goes wrong its status says. A conflict is decided as
  /// `decision` says, where the sidecar is the one that it is about.
  package func save(_ id: PictureID, _ decision: EditDecision? = nil) {
    save(id, decision, among: nil)
    announce([id])
  }

  /// Saves all edits except, unless `isForced`, the held ones.
  package func saveAll(isForced: Bool = false) async {
    let ids = state.withLock { state in
      state.book.histories.filter { $0.value.isPending && (isForced || !$0.value.isHeld) }
        .map(\.key)
    }
    await save(ids)
  }

  /// Saves the edits of `ids`, a few at a time, or waits for saves in progress. Folders are listed
  /// once for many.
  package func save(_ ids: [PictureID]) async {
    let names = FolderNames()
    await withTaskGroup { group in
      for id in ids {
        group.addTask {
          repeat {
            _ = try? await self.work.run {
              let parent = (try? self.folder.path(id))?.removingLastComponent()
              self.save(id, nil, among: parent.flatMap { names[$0] })
            }
            // What somebody else saves may be older.
          } while await self.othersSaved(id)
          if ids.count <= Self.maxReported { self.announce([id]) }
        }
      }
    }
    if ids.count > Self.maxReported { announce(ids) }
  }

  /// Tries again what could not be saved: one picture, and the others once that goes well.
  package func retry() async {
    let failed = state.withLock { state in
      state.failures.compactMap { id, failure in
        if case .conflict = failure { return nil as PictureID? }
        return state.book[id]?.isPending == true ? id : nil
      }
    }
    guard let first = failed.randomElement() else { return }
    await save([first])
    if state.withLock({ $0.failures[first] == nil }) { await save(failed) }
  }

  /// Waits until `id` is saved by another task; false if none does.
  private func othersSaved(_ id: PictureID) async -> Bool {
    guard state.withLock({ $0.saving.contains(id) }) else { return false }
    await withCheckedContinuation { continuation in
      let isSaving = state.withLock { state in
        guard state.saving.contains(id) else { return false }
        state.waiting[id, default: []].append(continuation)
        return true
      }
      if !isSaving { continuation.resume() }
    }
    return true
  }

  private func save(_ id: PictureID, _ decision: EditDecision?, among names: FolderListing?) {
    let claimed = state.withLock { state in
      state.due[id] = nil
      guard let history = state.book[id], history.isPending,
        state.saving.insert(id).inserted
      else { return nil as (own: [String: RecipeValue], base: [String: RecipeValue])? }
      return (history.own, history.saved)
    }
    guard let claimed else { return }
    let result = Result { try write(claimed.own, claimed.base, of: id, decision, names) }
    defer {
      for continuation in state.withLock({ $0.waiting.removeValue(forKey: id) ?? [] }) {
        continuation.resume()
      }
    }
    let isLeft = state.withLock { state in
      state.saving.remove(id)
      switch result {
      case .success(let (own, revision)):
        state.failures[id] = nil
        state.revisions[id] = revision
        guard let history = state.book[id] else { return false }
        // Steps that came meanwhile stay on top of what is now on disk.
        let now = ValueMerge(base: claimed.own, mine: history.own, theirs: own).values
        var changes = [EditChange(picture: id, saved: own)]
        if now != history.own {
          changes.append(EditChange(picture: id, step: .changedOnDisk(now)))
        }
        commit(changes, &state)
        return state.book[id].map { $0.isPending && !$0.isHeld } ?? false
      case .failure(let error):
        state.failures[id] = failure(error, of: id)
        return false
      }
    }
    if isLeft { saveLater(id) }
  }

  /// Brings `own`, which comes from `base`, into the sidecar of `id`. Returns what that gives then,
  /// and its revision.
  private func write(
    _ own: [String: RecipeValue], _ base: [String: RecipeValue], of id: PictureID,
    _ decision: EditDecision?, _ names: FolderListing?
  ) throws -> (own: [String: RecipeValue], revision: String) {
    let path = try folder.path(id)
    var values = own
    let content = try OwnSidecar.edit(path, below: folder.root, among: names) { sidecar in
      if let problem = sidecar.problem { throw problem }
      let revision = sidecar.revision(for: id.file)
      let side = decision?.revision == revision ? decision?.side : nil
      let merge = ValueMerge(
        base: base, mine: own, theirs: sidecar.own, preferring: side ?? .mine)
      guard side != nil || merge.conflicts.isEmpty else {
        throw EditStatus.Conflict(
          names: merge.conflicts, theirs: sidecar.own, revision: revision)
      }
      values = merge.values
      return RecipeDocument.changes(from: sidecar.own, to: values)
    }
    return (values, OwnSidecar.revision(content, for: id.file))
  }

  private func failure(_ error: any Error, of id: PictureID) -> Failure {
    if let conflict = error as? EditStatus.Conflict { return .conflict(conflict) }
    let message = "\(error)"
    if let error = error as? RecipeError, error.code == .cannotWrite,
      let parent = (try? folder.path(id))?.removingLastComponent(),
      unsafe parent.withPlatformString({ unsafe access($0, W_OK) }) != 0
    {
      return .readOnly(message)
    }
    return .error(message)
  }

  /// Whether sidecars can be written in the opened folder itself.
  package var isWritable: Bool {
    unsafe folder.root.withPlatformString { unsafe access($0, W_OK) } == 0
  }
}
