package import Recipes

/// Values that are set at once.
package struct Look: Sendable, Hashable, Codable {
  /// Where it is from.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// Included in the program.
    case builtIn
    /// A recipe of the user.
    case recipe
    /// Saved by ``LookLibrary/save(_:title:)``.
    case saved
  }

  /// Identifies it in its library.
  package var id: String
  /// Its name for people.
  package var title: String
  /// Where it is from.
  package var kind: Kind
  /// What it sets, by property.
  package var values: [String: RecipeValue]
  /// Why it cannot be used; nil where it can.
  package var problem: String?
}
