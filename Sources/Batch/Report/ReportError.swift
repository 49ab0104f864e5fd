/// Why a report cannot be read.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// The report does not exist, is not a file or cannot be read.
    case cannotRead
    /// The report changed while it was read.
    case changed
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// Path of the report; nil for one in memory.
  public let path: String?

  init(_ code: Code, _ message: String, path: String?) {
    (self.code, self.message, self.path) = (code, message, path)
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}
