import Develop
import Recipes
import Synchronization
import SystemPackage

/// The state of a keeper, and how changes of it enter the journal and are reported.
extension EditKeeper {
  /// Why an edit is not in its sidecar.
  enum Failure {
    case conflict(EditStatus.Conflict)
    case readOnly(String)
    case error(String)
  }

  struct State {
    var book = EditBook()
    var journal: EditJournal?
    /// Whether the journal lacks something that the book has.
    var isBehind = false
    var journalProblem: String?
    var failures: [PictureID: Failure] = [:]
    var revisions: [PictureID: String] = [:]
    var versions: [PictureID: Int] = [:]
    var version = 0
    var saving: Set<PictureID> = []
    /// Who waits until a picture that is being saved is saved.
    var waiting: [PictureID: [CheckedContinuation<Void, Never>]] = [:]
    /// The last request to save a picture after a pause; earlier ones count no more.
    var due: [PictureID: Int] = [:]
    var requests = 0
  }

  /// Takes what the sidecar of `id` gives, which may be what somebody else made of it.
  func take(_ theirs: [String: RecipeValue], for id: PictureID, _ state: inout State) {
    guard let history = state.book[id] else { return }
    if case .conflict? = state.failures[id] { state.failures[id] = nil }
    guard history.saved != theirs else { return }
    let merge = ValueMerge(base: history.saved, mine: history.own, theirs: theirs)
    guard merge.conflicts.isEmpty else {
      state.failures[id] = .conflict(
        EditStatus.Conflict(
          names: merge.conflicts, theirs: theirs, revision: state.revisions[id] ?? ""))
      return
    }
    var changes = [EditChange(picture: id, saved: theirs)]
    if merge.values != history.own {
      changes.append(EditChange(picture: id, step: .changedOnDisk(merge.values)))
    }
    commit(changes, &state)
  }

  /// Makes `changes`, in the journal first.
  func commit(_ changes: [EditChange], _ state: inout State) {
    let changes = state.book.numbered(changes)
    state.book.apply(changes)
    for change in changes where change.step != nil || change.at != nil {
      state.version += 1
      state.versions[change.picture] = state.version
    }
    guard let journal = state.journal else { return }
    do {
      if !state.isBehind { try journal.append(changes) }
      if state.isBehind || journal.isTooLong(state.book) { try journal.shorten(&state.book) }
      (state.isBehind, state.journalProblem) = (false, nil)
    } catch {
      (state.isBehind, state.journalProblem) = (true, Self.unwritable(journal.path, error))
    }
  }

  func status(_ id: PictureID, _ state: State) -> EditStatus {
    let history = state.book[id]
    var status = EditStatus(
      id: id, name: history?.name ?? folder.entry(id)?.name ?? "",
      version: state.versions[id] ?? 0, keeping: .sidecar, revision: state.revisions[id],
      journalProblem: state.journalProblem)
    guard let history else { return status }
    status.isSet = !history.own.isEmpty
    guard history.isPending else { return status }
    status.keeping = history.isHeld ? .journal : .waiting
    switch state.failures[id] {
    case .conflict(let conflict):
      status.keeping = .conflict
      status.conflict = conflict
      status.error = "the sidecar of \(history.name) changed on disk"
    case .readOnly(let message):
      (status.keeping, status.error, status.isReadOnly) = (.journal, message, true)
    case .error(let message): (status.keeping, status.error) = (.failed, message)
    case nil: break
    }
    return status
  }

  /// The edit of `id`; without a history, of a picture that was just opened, with `own`.
  func edit(
    _ id: PictureID, _ state: State, of own: [String: RecipeValue] = [:]
  ) -> Edit {
    let history = state.book[id]
    return Edit(
      status: status(id, state), own: history?.own ?? own, saved: history?.saved ?? own,
      steps: history?.steps ?? [.opened(own)], at: history?.at ?? 0)
  }

  /// Reports the edits of `ids`.
  func announce(_ ids: some Collection<PictureID> & Sendable) {
    guard ids.count <= Self.maxReported else {
      notify(.edits)
      return
    }
    let ids = Array(ids)
    let statuses = state.withLock { state in ids.map { status($0, state) } }
    for status in statuses {
      notify(.edit(status))
    }
  }
}
