public import ImageCore

/// Why a file was not developed or converted by a worker process of its own.
public struct IsolationError: KindedError, Sendable, Hashable, CustomStringConvertible {
  /// Name of the kind of failure, for programs, as in the reports of batches: `crashed`, `timeout`,
  /// `tooLarge`, and what the worker said of the file, such as `damaged`.
  public let code: String
  /// The same.
  public var codeName: String { code }
  /// What happened and what to do, one line, without the path.
  public let message: String
  /// The file.
  public let path: String
  /// What the failure means.
  public let kind: FailureKind

  init(_ code: String, _ kind: FailureKind, _ message: String, path: String) {
    (self.code, self.kind, self.message, self.path) = (code, kind, message, path)
  }

  init(_ failure: BatchItem.Failure, path: String) {
    self.init(failure.code, failure.kind, failure.message, path: path)
  }

  /// `path: what happened and what to do`.
  public var description: String { "\(path): \(message)" }
}
