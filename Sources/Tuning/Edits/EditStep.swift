package import Recipes

/// A step of the history of a picture: what it was set to, and by what.
package struct EditStep: Sendable, Hashable, Codable {
  /// Identifies the step within the picture. Pages make it, so that a step that is sent twice is
  /// one.
  package var key: String
  /// What was done, for people.
  package var title: String
  /// The values that the sidecar is to give from then on.
  package var own: [String: RecipeValue]
  /// What was done to several pictures at once has the same here in each of them.
  package var group: String?
  /// Its number among all steps of the folder.
  var n = 0

  init(_ key: String, _ title: String, _ own: [String: RecipeValue], group: String? = nil) {
    (self.key, self.title, self.own, self.group) = (key, title, own, group)
  }

  /// The step that a history begins with.
  static func opened(_ own: [String: RecipeValue]) -> EditStep {
    EditStep("opened", "Opened", own)
  }

  /// The step of a change that somebody else made.
  static func changedOnDisk(_ own: [String: RecipeValue]) -> EditStep {
    EditStep(newKey(), "Changed on disk", own)
  }

  /// A key that no other step has.
  static func newKey() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
}
