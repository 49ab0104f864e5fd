import Foundation

/// The two halves of a message of this package: what happened and, behind its last semicolon, what
/// to do.
package struct MessageParts: Sendable, Hashable {
  /// What happened.
  package let reason: String
  /// What to do next; nil where the message says nothing of it.
  package let remedy: String?

  package init(_ message: String) {
    guard let end = message.range(of: "; ", options: .backwards) else {
      (reason, remedy) = (message, nil)
      return
    }
    (reason, remedy) = (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
  }
}
