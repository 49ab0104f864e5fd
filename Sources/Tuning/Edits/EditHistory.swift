import Recipes

/// What was done to one picture, and what of it is in its sidecar.
struct EditHistory: Sendable, Hashable {
  /// The name below the folder, for people.
  var name: String
  /// From the oldest one that is remembered on; never empty.
  private(set) var steps: [EditStep]
  /// The current step; the steps after it were undone.
  private(set) var at = 0
  /// The values on which the sidecar and this agreed last.
  private(set) var saved: [String: RecipeValue]
  /// Whether it is saved only when a person says so.
  private(set) var isHeld = false

  /// A history that starts with `first`, whose values are those in the sidecar.
  init(_ name: String, _ first: EditStep) {
    (self.name, steps, saved) = (name, [first], first.own)
  }

  /// The values of now.
  var own: [String: RecipeValue] { steps[at].own }

  /// Whether the sidecar does not give the values of now.
  var isPending: Bool { own != saved }

  /// The index of the step of `key`; nil if unknown.
  func index(_ key: String) -> Int? { steps.firstIndex { $0.key == key } }

  /// Takes a change.
  mutating func apply(_ change: EditChange) {
    if let step = change.step, index(step.key) == nil {
      steps.removeSubrange((at + 1)...)
      steps.append(step)
      at = steps.count - 1
    }
    if let index = change.at.flatMap(index) { at = index }
    if let values = change.saved { saved = values }
    if let isHeld = change.isHeld { self.isHeld = isHeld }
  }

  /// Forgets the oldest step, unless it is the one that holds; returns whether it did.
  mutating func forgetOldest() -> Bool {
    guard at > 0 else { return false }
    steps.removeFirst()
    at -= 1
    return true
  }

  /// The values with the change of the step at `index` reverted, and later changes preserved.
  func without(_ index: Int) -> [String: RecipeValue] {
    ValueMerge(
      base: steps[index].own, mine: steps[index - 1].own, theirs: own, preferring: .theirs
    ).values
  }
}
