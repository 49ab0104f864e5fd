import Develop
public import ImageCore
public import SystemPackage

/// Why a batch or one of its sources failed.
public struct BatchError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// A file or folder does not exist or cannot be read.
    case cannotRead
    /// The output folder, its journal or its report cannot be written to.
    case cannotWrite
    /// A manifest is invalid.
    case badManifest
    /// A setting is outside its range, or settings contradict each other.
    case badSetting
    /// Two sources would write the same output.
    case sameOutput
    /// A report changed while it was read.
    case changed
    /// The output exists and was not written by this batch, or was modified since.
    case exists
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// The file or folder concerned; nil where the message names it, or no file is concerned.
  public let path: FilePath?
  /// What the message advises.
  public let remedies: [Remedy]
  /// Whether every other source would fail in the same way.
  let isForAll: Bool

  /// An error; `message` is one line that says what happened and what to do next.
  public init(
    _ code: Code, _ message: String, path: FilePath? = nil, remedies: [Remedy] = []
  ) {
    self.init(code, message, path: path, remedies: remedies, isForAll: false)
  }

  init(
    _ code: Code, _ message: String, path: FilePath? = nil, remedies: [Remedy] = [], isForAll: Bool
  ) {
    (self.code, self.message, self.path) = (code, message, path)
    (self.remedies, self.isForAll) = (remedies, isForAll)
  }

  /// `path: message`.
  public var description: String { path.map { "\($0.shown): \(message)" } ?? message }

  /// A failure to write because of `error`, which `message` puts into a line. A disk that is full
  /// or read-only fails every source.
  static func cannotWrite(
    _ error: any Error, _ message: (any Error) -> String, path: FilePath
  ) -> BatchError {
    let full: [Errno] = [.noSpace, .diskQuotaExceeded, .readOnlyFileSystem]
    let isForAll = (error as? Errno).map(full.contains) ?? false
    return BatchError(.cannotWrite, message(error), path: path, isForAll: isForAll)
  }
}

extension BatchError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    switch self {
    case .cannotRead: .cannotRead
    case .cannotWrite: .cannotWrite
    case .badManifest, .changed: .badInput
    case .badSetting, .sameOutput, .exists: .request
    }
  }
}
