public import Foundation

/// Why pixels were not made. Loops over pixels cannot fail; reading a rectangle can fail in one of
/// these ways, and leaves its buffer undefined.
public enum PixelError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The work was cancelled (``Cancellation``).
  case cancelled
  /// The allocation of this many bytes of pixels failed.
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

/// Error codes that include ``PixelError``.
package protocol PixelErrorCode: Equatable {
  static var cancelled: Self { get }
  static var outOfMemory: Self { get }
}

extension PixelErrorCode {
  package init(_ error: PixelError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .outOfMemory: .outOfMemory
      }
  }
}

/// An error that can be a ``PixelError``.
package protocol PixelErrorCoded: Error {
  associatedtype Code: PixelErrorCode
  var code: Code { get }
}

extension PixelErrorCoded {
  /// Whether the work was cancelled.
  package var isCancellation: Bool { code == .cancelled }
}

/// Such an error that needs no other values.
package protocol PixelErrorTranslating: PixelErrorCoded {
  init(_ error: PixelError)
}

extension PixelErrorTranslating {
  /// Rethrows the errors of `make` as this type.
  package static func translating<Value>(
    _ make: () throws(PixelError) -> Value
  ) throws(Self) -> Value {
    do { return try make() } catch { throw Self(error) }
  }
}

/// Texts for users.
extension PixelError {
  /// The complete `description`.
  public var errorDescription: String? { description }
}
