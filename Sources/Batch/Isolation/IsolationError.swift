public import ImageCore

/// Why a file was not developed or converted by a worker process of its own.
public struct IsolationError: KindedError, Sendable, Hashable, CustomStringConvertible {
  /// Name of the kind of failure, for programs, as in the reports of batches: `crashed`, `timeout`,
  /// `tooLarge`, and codes that the worker reported, such as `damaged`.
  public let codeName: String
  /// What happened and what to do, one line, without the path.
  public let message: String
  /// The file.
  public let path: String
  /// What the failure means.
  public let kind: FailureKind
  /// What the message advises.
  public let remedies: [Remedy]

  init(
    _ codeName: String, _ kind: FailureKind, _ message: String, path: String,
    remedies: [Remedy] = []
  ) {
    (self.codeName, self.kind, self.message) = (codeName, kind, message)
    (self.path, self.remedies) = (path, remedies)
  }

  init(_ failure: BatchItem.Failure, path: String) {
    self.init(
      failure.code, failure.kind, failure.message, path: path, remedies: failure.remedies ?? [])
  }

  /// The failure of a file whose worker, which worked within `limits`, was lost.
  init(_ failure: WorkerFailure, _ limits: IsolatedDeveloper, path: String) {
    let said = BatchItem.Failure(
      failure, memoryBytes: limits.memoryBytes, timeoutSeconds: limits.timeoutSeconds,
      isOneOfSeveral: false)
    self.init(said.code, failure.kind, said.message, path: path, remedies: said.remedies ?? [])
  }

  /// `path: what happened and what to do`.
  public var description: String { "\(path): \(message)" }
}
