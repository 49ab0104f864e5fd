package import Containers

/// Why a picture could not be read: what went wrong and what to do about it.
public struct ReadError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// The file is not there, is a folder, or may not be read.
    case cannotRead
    /// The bytes are no picture of a kind that is known here.
    case unknownKind
    /// A known kind that uses what is not supported.
    case unsupported
    /// The file ends early or contradicts itself.
    case damaged
    /// The file wants more memory or pixels than the limits allow.
    case tooLarge
    /// An option is outside its range.
    case badSetting
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// The file concerned; nil for bytes in memory.
  public let path: String?

  /// A failure of kind `code`.
  public init(_ code: Code, _ message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  /// The failure of a container or codec.
  package init(_ error: FormatError, path: String? = nil) {
    let code: Code =
      switch error.code {
      case .cannotRead: .cannotRead
      case .unsupported: .unsupported
      case .damaged: .damaged
      case .tooLarge: .tooLarge
      }
    self.init(code, error.message, path: error.path ?? path)
  }

  /// The file contradicts itself.
  package static func contradiction(_ what: String) -> ReadError {
    ReadError(.contradiction(what))
  }

  /// Runs `read`; what a container or codec throws becomes a failure of reading.
  package static func translating<Value>(
    _ read: () throws(FormatError) -> Value
  ) throws(ReadError) -> Value {
    do { return try read() } catch { throw ReadError(error) }
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}
