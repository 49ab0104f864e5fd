/// Why an operator cannot be set up: which one, what is wrong and what to give instead.
public struct OperatorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operator.
  public let stage: String
  /// What was given and what to give, one line.
  public let message: String

  /// A bad setting of `stage`.
  public init(_ stage: String, _ message: String) {
    self.stage = stage
    self.message = message
  }

  /// `stage: message`.
  public var description: String { "\(stage): \(message)" }
}
