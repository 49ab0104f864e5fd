import Develop
import Foundation
package import Recipes
import Synchronization
package import SystemPackage

/// Edits of several pictures at once, as one step that can be undone from any of them.
extension EditKeeper {
  /// Values that are set on several pictures.
  package struct Pasting: Sendable {
    /// The values by property; null removes one.
    package var values: [String: RecipeValue]
    /// Key of the step. Pictures that are added later with the same key join it.
    package var key: String
    /// What is done, for people.
    package var title: String
    /// The picture that they are copied from, whose step it is, too.
    package var source: PictureID?
    /// Whether it is saved only when a person says so.
    package var isHeld: Bool

    /// The pasting of `values` by the step of `key`.
    package init(
      _ values: [String: RecipeValue], key: String, title: String, source: PictureID?,
      isHeld: Bool = false
    ) {
      (self.values, self.key, self.title) = (values, key, title)
      (self.source, self.isHeld) = (source, isHeld)
    }
  }

  /// That an edit is in the journal, but could not be saved.
  struct NotSaved: Error, CustomStringConvertible { let description: String }

  /// Pastes to the pictures `ids`, of which none is opened, and saves them with the source. `check`
  /// throws for values that may not be set on the raw at a path. Returns what failed, that is not
  /// saved but in the journal included.
  package func paste(
    _ pasting: Pasting, to ids: [PictureID], _ check: (FilePath) throws -> Void
  ) async -> [PictureID: any Error] {
    var failures: [PictureID: any Error] = [:]
    var found: [PictureID: OwnSidecar] = [:]
    let names = FolderNames()
    for id in Set(ids).union([pasting.source].compactMap(\.self)) {
      do {
        let path = try folder.path(id)
        if id != pasting.source { try check(path) }
        let sidecar = OwnSidecar(
          of: path, below: folder.root, among: names[path.removingLastComponent()])
        if let problem = sidecar.problem { throw problem }
        found[id] = sidecar
      } catch { failures[id] = error }
    }
    let values = pasting.values.mapValues { $0 == .null ? nil : $0 }
    let changed = state.withLock { state in
      var changes: [EditChange] = []
      for (id, sidecar) in found {
        state.revisions[id] = sidecar.revision(for: id.file)
        take(sidecar.own, for: id, &state)
        let history = state.book[id]
        guard history?.index(pasting.key) == nil else { continue }
        let old = history?.own ?? sidecar.own
        let isSource = id == pasting.source
        let new = isSource ? old : RecipeDocument.merged(values, into: old)
        guard isSource || new != old else { continue }
        do {
          try Self.check(new, for: FilePath(bytes: sidecar.path))
        } catch {
          failures[id] = error
          continue
        }
        if history == nil {
          changes.append(
            EditChange(picture: id, name: folder.entry(id)?.name ?? "", step: .opened(old)))
        }
        let step = EditStep(pasting.key, pasting.title, new, group: pasting.key)
        changes.append(EditChange(picture: id, step: step, isHeld: pasting.isHeld))
      }
      commit(changes, &state)
      return Array(Set(changes.map(\.picture)))
    }
    announce(changed)
    if !pasting.isHeld { await save(changed) }
    for status in state.withLock({ state in changed.map { status($0, state) } }) {
      guard let error = status.error, !status.isReadOnly else { continue }
      failures[status.id] = NotSaved(description: error)
    }
    if let source = pasting.source { failures[source] = nil }
    return failures
  }

  /// Moves to the step of `key` of the picture `id`. Steps of several pictures in between are
  /// undone, or redone, in all of them; later changes there are preserved. Throws where the picture
  /// or step is unknown.
  package func move(_ id: PictureID, to key: String, isHeld: Bool = false) throws -> Edit {
    _ = try folder.path(id)
    let (edit, others) = try state.withLock { state in
      guard let history = state.book[id], let index = history.index(key) else {
        throw EditRefusal.unknownStep
      }
      var changes = [EditChange(picture: id, at: key, isHeld: isHeld)]
      var book = state.book
      book.apply(changes)
      let isBack = index < history.at
      let passed = history.steps[isBack ? (index + 1)...history.at : (history.at + 1)...index]
      for step in isBack ? passed.reversed() : Array(passed) {
        guard let group = step.group else { continue }
        for other in book.groups[group] ?? [] where other != id {
          let change = Self.move(other, book, isBack: isBack, over: group)
          guard let change else { continue }
          book.apply([change])
          changes.append(change)
        }
      }
      commit(changes, &state)
      return (
        self.edit(id, state), Set(changes.map(\.picture)).subtracting([id])
      )
    }
    if !isHeld { saveLater(id) }
    announce(others.union([id]))
    let due = state.withLock { state in others.filter { state.book[$0]?.isHeld == false } }
    if !due.isEmpty { Task { await save(Array(due)) } }
    return edit
  }

  /// What takes back the step of `group` of one of its pictures, or does it again.
  private static func move(
    _ id: PictureID, _ book: EditBook, isBack: Bool, over group: String
  ) -> EditChange? {
    guard let history = book[id],
      let index = history.steps.firstIndex(where: { $0.group == group })
    else { return nil }
    if !isBack {
      guard index == history.at + 1 else { return nil }
      return EditChange(picture: id, at: history.steps[index].key)
    }
    guard index > 0, index <= history.at else { return nil }
    if index == history.at { return EditChange(picture: id, at: history.steps[index - 1].key) }
    let own = history.without(index)
    guard own != history.own else { return nil }
    let title = "Undo \(history.steps[index].title)"
    return EditChange(picture: id, step: EditStep(EditStep.newKey(), title, own))
  }
}
