public import Foundation

/// Why pixels were not made. Loops over pixels cannot fail; reading a rectangle can end in one of
/// these ways, and leaves its buffer undefined.
public enum PixelError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The work was cancelled (``Cancellation``).
  case cancelled
  /// The system gave no memory for so many bytes of pixels.
  case outOfMemory(bytes: Int)

  /// What happened and what to do next, one line.
  public var description: String {
    switch self {
    case .cancelled: "cancelled"
    case .outOfMemory(let bytes):
      "there is no memory for \(max(bytes >> 20, 1)) MB of pixels; close other programs, or work "
        + "on fewer pictures at a time"
    }
  }
}

/// An error that says, too, that pixels were not made.
package protocol PixelErrorTranslating: Error {
  init(_ error: PixelError)
}

/// What people are shown.
extension PixelError {
  /// The whole: `description`.
  public var errorDescription: String? { description }
}
