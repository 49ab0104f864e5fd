public import ImageCore

/// Why a file was not developed or converted by a worker process of its own.
public struct IsolationError: MessageError, Sendable, Hashable, CustomStringConvertible {
  /// Name of the kind of failure, for programs, as in the reports of batches: `crashed`, `timeout`,
  /// `tooLarge`, and what the worker said of the file, such as `damaged`.
  public let code: String
  /// What happened and what to do, one line, without the path.
  public let message: String
  /// The file.
  public let path: String
  /// Whether it took more memory than ``IsolatedDeveloper/memoryBytes``.
  public let isOverMemory: Bool

  init(_ code: String, _ message: String, path: String, isOverMemory: Bool = false) {
    (self.code, self.message, self.path) = (code, message, path)
    self.isOverMemory = isOverMemory
  }

  init(_ failure: BatchItem.Failure, path: String) {
    self.init(failure.code, failure.message, path: path)
  }

  /// `path: what happened and what to do`.
  public var description: String { "\(path): \(message)" }
}
