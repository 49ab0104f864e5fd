public import ImageCore

/// An error or a warning about a value of a recipe.
public struct RecipeProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Whether the recipe can be used all the same.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The recipe cannot be used.
    case error
    /// The recipe can be used, but something in it has no effect.
    case warning
  }

  /// Whether the recipe can be used all the same.
  public let severity: Severity
  /// The key, as `outputs.web.quality`.
  public let key: String
  /// The problem and what to do, in one line.
  public let message: String
  /// The document; nil for values in memory.
  public let path: String?
  /// Line of the document, from 1, where known.
  public let line: Int?
  /// What the message advises. Not encoded.
  public private(set) var remedies: [Remedy] = []

  private enum CodingKeys: CodingKey { case severity, key, message, path, line }

  init(
    _ severity: Severity, _ key: RecipePath, _ message: String, path: String? = nil,
    line: Int? = nil, remedies: [Remedy] = []
  ) {
    (self.severity, self.key, self.message) = (severity, key.description, message)
    (self.path, self.line, self.remedies) = (path, line, remedies)
  }

  /// `path:line: warning: message`.
  public var description: String {
    RecipeError(.badSetting, "\(severity.rawValue): \(message)", path: path, line: line).description
  }

  /// The same as an error to throw.
  public var error: RecipeError {
    RecipeError(.badSetting, message, path: path, line: line, remedies: remedies)
  }
}
