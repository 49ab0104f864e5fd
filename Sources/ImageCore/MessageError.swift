public import Foundation

/// An error whose message says what happened and, after its last semicolon, what to do. The message
/// is what users see.
public protocol MessageError: LocalizedError {
  /// What happened and what to do next, one line.
  var message: String { get }
}

extension MessageError {
  /// The message.
  public var errorDescription: String? { message }
  /// What happened.
  public var failureReason: String? { parts.reason }
  /// What to do next; nil where the message does not say.
  public var recoverySuggestion: String? { parts.remedy }

  /// Nil: there is no help to point to.
  public var helpAnchor: String? { nil }

  private var parts: (reason: String, remedy: String?) {
    guard let end = message.range(of: "; ", options: .backwards) else { return (message, nil) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
  }
}

extension MessageError where Self: CustomStringConvertible {
  /// The complete `description`.
  public var errorDescription: String? { description }
}
