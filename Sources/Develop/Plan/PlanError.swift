public import ImageCore

/// Why the outputs of a raw cannot be named.
public struct PlanError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// A path leaves the output folder, or a name is too long for the file system.
    case badSetting
    /// Two outputs of one raw would have the same path.
    case sameOutput
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  /// The message.
  public var description: String { message }
}

extension PlanError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    .request
  }
}
