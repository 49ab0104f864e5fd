/// Why a gain map cannot be read, made or applied: what is wrong and what to do about it.
public struct GainMapError: MessageError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// The stored parameters are truncated or contradictory.
    case damaged
    /// The stored parameters require a newer reader.
    case unsupported
    /// A value given by the caller is outside its range.
    case badSetting
    /// The work was cancelled.
    case cancelled
    /// The system has no memory for it.
    case outOfMemory
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String

  /// A failure of kind `code`.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// An error of reading pixels.
  package init(_ error: PixelError) {
    self.init(Code(error), error.description)
  }

  /// `gain map: message`.
  public var description: String { "gain map: \(message)" }
}

extension GainMapError: PixelErrorTranslating {}
extension GainMapError.Code: PixelErrorCode {}
