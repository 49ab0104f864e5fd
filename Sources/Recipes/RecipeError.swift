/// Why a recipe, a sidecar or a setting in one cannot be used: where it stands and what to do.
public struct RecipeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// The document is not there or may not be read.
    case cannotRead
    /// The document is no YAML, JSON or XMP, or larger than documents may be.
    case malformed
    /// A key has a value that it does not take.
    case badSetting
    /// The document is made for a newer version.
    case newerSchema
    /// Documents that extend each other in a circle.
    case cyclicExtends
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// The key that is wrong, in what was checked: the recipe, or the part of it that was validated;
  /// nil where no single key is.
  public let key: RecipePath?
  /// The document; nil for values in memory.
  public let path: String?
  /// Line of the document, from 1, where known.
  public let line: Int?

  /// A failure of kind `code`.
  public init(
    _ code: Code, _ message: String, key: RecipePath? = nil, path: String? = nil, line: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.path = path
    self.line = line
  }

  /// The same of a part that stands at `group` in the recipe.
  func inside(_ group: RecipePath, message: String? = nil) -> RecipeError {
    RecipeError(
      code, message ?? self.message, key: key.map { group.appending($0) } ?? group, path: path,
      line: line)
  }

  /// `path:line: message`.
  public var description: String {
    guard let path else { return message }
    return line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}
