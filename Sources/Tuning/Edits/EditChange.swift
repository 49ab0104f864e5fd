import Recipes

/// What happens to the edit of one picture. A line of the journal holds those that happen together,
/// so that after the end of the program, at whatever moment, they all happened or none.
struct EditChange: Sendable, Hashable, Codable {
  var picture: PictureID
  /// The name below the folder, for people; begins a history.
  var name: String?
  /// A step, which takes the place of those that were undone.
  var step: EditStep?
  /// The key of the step that holds from now on.
  var at: String?
  /// The values that are in the sidecar now.
  var saved: [String: RecipeValue]?
  /// Whether it is saved only when a person says so.
  var isHeld: Bool?
}
