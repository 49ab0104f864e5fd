import Batch
import Develop
package import Dispatch
import Foundation
package import Recipes
import Synchronization
package import SystemPackage

/// Keeps what is set on the pictures of a folder: each gesture at once in a journal, and after a
/// short pause in the sidecar. Thread-safe; its functions read and write small files.
///
/// Concurrent changes of a sidecar by others are merged by property. Edits that cannot be saved
/// stay in the journal, are reported, and are retried for the picture that they belong to, in this
/// run or the next.
package final class EditKeeper: Sendable {
  /// A gesture, as reported by a page.
  package struct Gesture: Sendable {
    /// Key of the step that it makes; the same gesture sent again is one step.
    package var key: String
    /// What was done, for people.
    package var title: String
    /// The values before it, as the page knew them.
    package var from: [String: RecipeValue]
    /// The values after it.
    package var own: [String: RecipeValue]
    /// Whether it is saved only when a person says so.
    package var isHeld: Bool

    /// A gesture that makes `own` of `from`.
    package init(
      key: String, title: String, from: [String: RecipeValue], own: [String: RecipeValue],
      isHeld: Bool = false
    ) {
      (self.key, self.title, self.from) = (key, title, from)
      (self.own, self.isHeld) = (own, isHeld)
    }
  }

  /// A notification.
  package enum News: Sendable {
    /// The saving state of a picture's edit changed, or it has another step.
    case edit(EditStatus)
    /// The same for more pictures than are reported one by one.
    case edits
  }

  let folder: TuningFolder
  let state: Mutex<State>
  /// A few sidecars at a time: each waits for the disk twice, and concurrent ones wait together.
  let work = BlockingWork(limit: 4)
  private let pause: DispatchTimeInterval
  let notify: @Sendable (News) -> Void

  /// Maximum of pictures that are reported one by one.
  static let maxReported = 64

  /// The edits of `folder`, whose journal is in the folder `journals`; with nil it ends with this
  /// object. They are saved `pause` after a gesture, and `notify` is called with every change.
  package convenience init(
    _ folder: TuningFolder, journals: FilePath?, pause: DispatchTimeInterval = .milliseconds(400),
    notify: @escaping @Sendable (News) -> Void
  ) {
    self.init(folder, journals: journals, limits: .init(), pause: pause, notify: notify)
  }

  init(
    _ folder: TuningFolder, journals: FilePath?, limits: EditJournal.Limits,
    pause: DispatchTimeInterval, notify: @escaping @Sendable (News) -> Void
  ) {
    (self.folder, self.pause, self.notify) = (folder, pause, notify)
    var first = State()
    if let journals {
      do {
        first.journal = try EditJournal(
          of: folder.root, in: journals, limits: limits, into: &first.book)
      } catch Errno.wouldBlock {
        first.journalProblem =
          "another rawdev tune has this folder open: edits are saved, but their history "
          + "is not; close one of the two"
      } catch {
        first.journalProblem = Self.unwritable(journals, error)
      }
    }
    state = Mutex(first)
  }

  static func unwritable(_ path: FilePath, _ error: any Error) -> String {
    "\(path.shown): the journal of edits cannot be written (\(error)); free some space there, or "
      + "make it writable"
  }

  // MARK: What is set

  /// The edit of the picture `id`, after reading its sidecar. Throws where the picture is unknown
  /// or was replaced.
  package func edit(_ id: PictureID) throws -> Edit {
    let sidecar = OwnSidecar(of: try folder.path(id), below: folder.root)
    let (edit, isNews) = state.withLock { state in
      let version = state.versions[id]
      state.revisions[id] = sidecar.revision(for: id.file)
      if sidecar.problem == nil { take(sidecar.own, for: id, &state) }
      return (
        self.edit(id, state, of: sidecar.applied), version != nil && version != state.versions[id]
      )
    }
    if isNews { notify(.edit(edit.status)) }
    return edit
  }

  /// Applies a gesture to the picture `id`. Throws where the picture is unknown or was replaced,
  /// where a value is invalid, and ``EditRefusal/changed(_:_:)``.
  package func record(_ gesture: Gesture, on id: PictureID) throws -> Edit {
    let path = try folder.path(id)
    for values in [gesture.from, gesture.own] { try Self.check(values, for: path) }
    let name = folder.entry(id)?.name ?? path.shown
    let edit = try state.withLock { state in
      var changes: [EditChange] = []
      var own = gesture.own
      if let history = state.book[id] {
        guard history.index(gesture.key) == nil else { return self.edit(id, state) }
        let merge = ValueMerge(base: gesture.from, mine: gesture.own, theirs: history.own)
        guard merge.conflicts.isEmpty else {
          throw EditRefusal.changed(merge.conflicts, self.edit(id, state))
        }
        own = merge.values
        guard own != history.own else { return self.edit(id, state) }
      } else {
        guard gesture.own != gesture.from else { return self.edit(id, state, of: gesture.own) }
        changes.append(EditChange(picture: id, name: name, step: .opened(gesture.from)))
      }
      let step = EditStep(gesture.key, gesture.title, own)
      changes.append(EditChange(picture: id, step: step, isHeld: gesture.isHeld))
      commit(changes, &state)
      return self.edit(id, state)
    }
    if !gesture.isHeld { saveLater(id) }
    notify(.edit(edit.status))
    return edit
  }

  /// Sets the picture back to the values on which it and its sidecar agreed last.
  package func discard(_ id: PictureID) {
    state.withLock { state in
      guard let history = state.book[id], history.isPending else { return }
      let step = EditStep(EditStep.newKey(), "Back to what is saved", history.saved)
      commit([EditChange(picture: id, step: step)], &state)
      state.failures[id] = nil
    }
    announce([id])
  }

  /// The pictures whose edits are not in their sidecars.
  package var pending: [EditStatus] {
    let all = state.withLock { state in
      state.book.histories.filter { $0.value.isPending }
        .map { status($0.key, state) }.sorted { $0.name < $1.name }
    }
    return all.map { status in
      guard status.error == nil else { return status }
      // An edit of a missing picture is not just waiting.
      do { _ = try folder.path(status.id) } catch {
        var status = status
        (status.keeping, status.error) = (.failed, "\(error)")
        return status
      }
      return status
    }
  }

  /// Why the journal does not take what is done; nil where it does.
  package var journalProblem: String? { state.withLock(\.journalProblem) }

  /// The values of the edits of `ids` that are not in their sidecars.
  package func pendingValues(of ids: [PictureID]) -> [PictureID: [String: RecipeValue]] {
    state.withLock { state in
      let pending = ids.compactMap { id in state.book[id].map { (id, $0) } }
        .filter(\.1.isPending)
      return Dictionary(pending.map { ($0, $1.own) }) { first, _ in first }
    }
  }

  /// Throws for values that no sidecar of the raw at `path` could give.
  static func check(_ own: [String: RecipeValue], for path: FilePath) throws(RecipeError) {
    _ = try RecipeDocument.edited(
      nil, of: path.bytes + Array(".rawdev.yaml".utf8),
      with: RecipeDocument.changes(from: [:], to: own))
  }

  /// Saves `id` after a pause in which nothing more is done to it.
  func saveLater(_ id: PictureID) {
    let request = state.withLock { state in
      state.requests += 1
      state.due[id] = state.requests
      return state.requests
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, state.withLock({ $0.due[id] == request }) else { return }
      save(id)
    }
  }
}
