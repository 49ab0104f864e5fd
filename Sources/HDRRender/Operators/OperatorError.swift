public import ImageCore

/// Why an operator cannot be set up: which one, what is wrong and what to give instead.
public struct OperatorError: MessageError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// A value given by the caller is outside its range.
    case badSetting
    /// The work was cancelled.
    case cancelled
    /// The system has no memory for it.
    case outOfMemory
  }

  /// The kind of failure.
  public let code: Code
  /// The operator.
  public let stage: String
  /// What was given and what to give, one line.
  public let message: String

  /// A bad setting of `stage`.
  public init(_ stage: String, _ message: String) { self.init(.badSetting, stage, message) }

  private init(_ code: Code, _ stage: String, _ message: String) {
    (self.code, self.stage, self.message) = (code, stage, message)
  }

  /// The end of what reads pixels in `stage`.
  package init(_ stage: String, _ error: PixelError) {
    self.init(Code(error), stage, error.description)
  }

  /// What `make` makes of pixels; its failure is one of `stage`.
  package static func translating<Value>(
    _ stage: String, _ make: () throws(PixelError) -> Value
  ) throws(OperatorError) -> Value {
    do { return try make() } catch { throw OperatorError(stage, error) }
  }

  /// `stage: message`.
  public var description: String { "\(stage): \(message)" }
}

extension OperatorError: PixelErrorCoded {}
extension OperatorError.Code: PixelErrorCode {}
