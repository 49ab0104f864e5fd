/// Something in a recipe that its author should know.
public struct RecipeProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The recipe cannot be used.
    case error
    /// The recipe can be used; something in it has no effect.
    case warning
  }

  /// How bad it is.
  public let severity: Severity
  /// The key, as `outputs.web.quality`.
  public let key: String
  /// What is the matter and what to do, one line.
  public let message: String
  /// The document; nil for values in memory.
  public let path: String?
  /// Line of the document, from 1, where known.
  public let line: Int?

  init(
    _ severity: Severity, _ key: RecipePath, _ message: String, path: String? = nil,
    line: Int? = nil
  ) {
    self.severity = severity
    self.key = key.description
    self.message = message
    self.path = path
    self.line = line
  }

  /// `path:line: warning: message`.
  public var description: String {
    let place = path.map { path in line.map { "\(path):\($0): " } ?? "\(path): " } ?? ""
    return "\(place)\(severity.rawValue): \(message)"
  }

  /// The same as a failure.
  public var error: RecipeError { RecipeError(.badSetting, message, path: path, line: line) }
}
