public import Foundation
import ImageCore

/// Why an operator cannot be set up: which one, what is wrong and what to give instead.
public struct OperatorError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
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

/// What people are shown.
extension OperatorError {
  /// The whole: `description`.
  public var errorDescription: String? { description }
  /// What happened.
  public var failureReason: String? { MessageParts(message).reason }
  /// What to do next.
  public var recoverySuggestion: String? { MessageParts(message).remedy }
}
