import Recipes

/// A change of the edit of one picture. A line of the journal holds all changes that belong
/// together, so that after a crash at any moment all of them happened or none.
struct EditChange: Sendable, Hashable, Codable {
  var picture: PictureID
  /// The name below the folder, for people; begins a history.
  var name: String?
  /// A step, which replaces the undone ones.
  var step: EditStep?
  /// The key of the step that holds from now on.
  var at: String?
  /// The values that are in the sidecar now.
  var saved: [String: RecipeValue]?
  /// Whether it is saved only when a person says so.
  var isHeld: Bool?
}
