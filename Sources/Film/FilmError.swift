public import ImageCore

/// Why a film was not made: what failed, and what to do about it.
public struct FilmError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// A setting is outside its range, or codec, container, transfer, depth or chroma contradict
    /// each other.
    case badSetting
    /// An input does not exist or cannot be read.
    case cannotRead
    /// An input is damaged or of an unknown kind.
    case badInput
    /// The encoder is not installed.
    case noEncoder
    /// The encoder died, stopped, or wrote something else than it was asked for.
    case encoderFailed
    /// The disk is full.
    case diskFull
    /// A file cannot be written.
    case cannotWrite
    /// The work was cancelled.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, in one line.
  public let message: String
  /// The file concerned; nil where none is.
  public let path: String?

  /// A failure of kind `code`.
  public init(_ code: Code, _ message: String, path: String? = nil) {
    (self.code, self.message, self.path) = (code, message, path)
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

extension FilmError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    switch self {
    case .badSetting, .noEncoder: .request
    case .cannotRead: .cannotRead
    case .badInput: .badInput
    case .encoderFailed, .diskFull, .cannotWrite: .cannotWrite
    case .cancelled: .cancelled
    }
  }
}
