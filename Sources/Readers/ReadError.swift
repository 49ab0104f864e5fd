package import Containers
public import ImageCore

/// Why a picture could not be read: what failed and what to do about it.
public struct ReadError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// The file does not exist, is a folder, or permission is denied.
    case cannotRead
    /// Not a supported picture format.
    case unknownKind
    /// A supported format that uses an unsupported feature.
    case unsupported
    /// The file is truncated or inconsistent.
    case damaged
    /// Decoding would exceed one of the limits (`DecodeLimits`).
    case tooLarge
    /// An option is outside its range.
    case badSetting
    /// The work was cancelled.
    case cancelled
    /// The system has no memory for it.
    case outOfMemory
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, in one line.
  public package(set) var message: String
  /// The file concerned; nil for bytes in memory.
  public package(set) var path: String?
  /// What the message advises.
  public let remedies: [Remedy]

  /// A failure of kind `code`.
  public init(
    _ code: Code, _ message: String, path: String? = nil, remedies: [Remedy] = []
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.remedies = remedies
  }

  /// The same error for the file at `path`, if it names no file.
  package func naming(_ path: String?) -> ReadError {
    var error = self
    error.path = error.path ?? path
    return error
  }

  /// The end of what reads pixels.
  package init(_ error: PixelError) {
    self.init(Code(error), error.description)
  }

  /// The failure of a container or codec.
  package init(_ error: FormatError, path: String? = nil) {
    let code: Code =
      switch error.code {
      case .cannotRead: .cannotRead
      case .unsupported: .unsupported
      case .empty, .damaged: .damaged
      case .tooLarge: .tooLarge
      case .cancelled: .cancelled
      case .outOfMemory: .outOfMemory
      }
    self.init(code, error.message, path: error.path ?? path, remedies: error.remedies)
  }

  /// The file is inconsistent.
  package static func contradiction(_ what: String) -> ReadError {
    ReadError(.contradiction(what))
  }

  /// Runs `read` and converts a `FormatError` to a ``ReadError``.
  package static func translating<Value>(
    _ read: () throws(FormatError) -> Value
  ) throws(ReadError) -> Value {
    do { return try read() } catch { throw ReadError(error) }
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

extension ReadError: PixelErrorTranslating {}
extension ReadError.Code: PixelErrorCode {}

extension ReadError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    switch self {
    case .cannotRead: .cannotRead
    case .badSetting: .request
    case .unknownKind, .unsupported, .damaged, .tooLarge: .badInput
    case .cancelled: .cancelled
    case .outOfMemory: .overLimit
    }
  }
}
