import Recipes

/// The histories of all pictures of a folder, bounded to a number of steps.
struct EditBook: Sendable {
  private(set) var histories: [PictureID: EditHistory] = [:]
  /// All steps together.
  private(set) var count = 0
  /// The pictures that a step of several belongs to.
  private(set) var groups: [String: Set<PictureID>] = [:]
  private var last = 0

  subscript(id: PictureID) -> EditHistory? { histories[id] }

  /// `changes` with the numbers of their steps.
  mutating func numbered(_ changes: [EditChange]) -> [EditChange] {
    changes.map { change in
      var change = change
      if change.step != nil {
        last += 1
        change.step?.n = last
      }
      return change
    }
  }

  /// Takes changes, as they are made or as the journal has them.
  mutating func apply(_ changes: [EditChange]) {
    for change in changes {
      if let step = change.step {
        last = max(last, step.n)
        if let group = step.group { groups[group, default: []].insert(change.picture) }
      }
      let before = histories[change.picture]?.steps.count ?? 0
      if histories[change.picture] != nil {
        histories[change.picture]?.apply(change)
      } else if let name = change.name, let step = change.step {
        var history = EditHistory(name, step)
        history.apply(change)
        histories[change.picture] = history
      }
      count += (histories[change.picture]?.steps.count ?? 0) - before
    }
  }

  /// Removes the oldest steps until `limit` are left. Steps that are not in a sidecar yet stay,
  /// whatever `limit` is: they are stored nowhere else.
  mutating func forget(to limit: Int) {
    let all = histories.flatMap { id, history in history.steps.map { (n: $0.n, id: id) } }
    for (n, id) in all.sorted(by: { $0.n < $1.n }) {
      guard count > limit else { break }
      guard let history = histories[id], history.steps[0].n == n else { continue }
      if histories[id]?.forgetOldest() == true {
        count -= 1
      } else if history.steps.count == 1, !history.isPending {
        histories[id] = nil
        count -= 1
      }
    }
    groups = groups.mapValues { $0.filter { histories[$0] != nil } }.filter { !$0.value.isEmpty }
  }

  /// The changes by which a new book becomes this one, in the order in which steps were made.
  var changes: [EditChange] {
    var steps: [EditChange] = []
    var ends: [EditChange] = []
    for (id, history) in histories {
      for (index, step) in history.steps.enumerated() {
        steps.append(
          EditChange(picture: id, name: index == 0 ? history.name : nil, step: step))
      }
      ends.append(
        EditChange(
          picture: id, at: history.steps[history.at].key, saved: history.saved,
          isHeld: history.isHeld))
    }
    return steps.sorted { ($0.step?.n ?? 0) < ($1.step?.n ?? 0) } + ends
  }
}
