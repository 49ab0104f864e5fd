public import Recipes

/// Values that are set at once.
public struct Look: Sendable, Hashable, Codable {
  /// Where it is from.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Included in the program.
    case builtIn
    /// A recipe of the user.
    case recipe
    /// Saved by ``LookLibrary/save(_:title:)``.
    case saved
  }

  /// Identifies it in its library.
  public var id: String
  /// Its name for people.
  public var title: String
  /// Where it is from.
  public var kind: Kind
  /// What it sets, by property.
  public var values: [String: RecipeValue]
  /// Why it cannot be used; nil where it can.
  public var problem: String?
}
