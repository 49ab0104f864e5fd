public import ImageCore

/// Why a recipe, a sidecar or a setting in one cannot be used, where, and what to do.
public struct RecipeError: CodedError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// The document is not there or may not be read.
    case cannotRead
    /// The document is no YAML, JSON or XMP, or too large.
    case malformed
    /// The value of a key has the wrong type or is out of range.
    case badSetting
    /// The document needs a newer version of rawdev.
    case newerSchema
    /// Documents extend each other in a circle.
    case cyclicExtends
    /// The file to write is there already.
    case exists
    /// The file cannot be written.
    case cannotWrite
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// The wrong key, relative to what was validated: a recipe or a section of it; nil where no
  /// single key is wrong.
  public let key: RecipePath?
  /// The document; nil for values in memory.
  public let path: String?
  /// Line of the document, from 1, where known.
  public let line: Int?
  /// What the message advises.
  public let remedies: [Remedy]

  /// An error; `message` is one line that says what happened and what to do next.
  public init(
    _ code: Code, _ message: String, key: RecipePath? = nil, path: String? = nil, line: Int? = nil,
    remedies: [Remedy] = []
  ) {
    (self.code, self.message, self.key) = (code, message, key)
    (self.path, self.line, self.remedies) = (path, line, remedies)
  }

  /// The same error, of a section at `group` of the recipe.
  func inside(_ group: RecipePath, message: String? = nil) -> RecipeError {
    RecipeError(
      code, message ?? self.message, key: key.map { group.appending($0) } ?? group, path: path,
      line: line, remedies: remedies)
  }

  /// `path:line: message`.
  public var description: String {
    guard let path else { return message }
    return line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
  }
}

extension RecipeError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    switch self {
    case .cannotRead: .cannotRead
    case .cannotWrite: .cannotWrite
    case .malformed, .badSetting, .newerSchema, .cyclicExtends, .exists: .request
    }
  }
}
