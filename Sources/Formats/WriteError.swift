public import Foundation
package import ImageCore

/// Why a picture could not be written: what failed, where, and what to do about it.
public struct WriteError: LocalizedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// A setting is outside its range or not possible in the format.
    case badSetting
    /// The ICC profile to write for cannot be read, is damaged, or is that of another kind of
    /// device.
    case badProfile
    /// The target's folder or file cannot be created or written.
    case cannotWrite
    /// There is a file that may not be replaced (``ExistingFiles``).
    case exists
    /// The output is one of the files that it is made of, by whatever path or link.
    case isInput
    /// The disk is full.
    case diskFull
    /// The encoder refused the picture.
    case encoderFailed
    /// The picture is too large or too small for the format.
    case unsupportedSize
    /// The work was cancelled.
    case cancelled
    /// The system has no memory for it.
    case outOfMemory
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, in one line.
  public let message: String
  /// The file concerned, if one is.
  public let path: String?

  /// A failure of kind `code`.
  public init(_ code: Code, _ message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  /// The end of what reads pixels.
  package init(_ error: PixelError) {
    let code: Code =
      switch error {
      case .cancelled: .cancelled
      case .outOfMemory: .outOfMemory
      }
    self.init(code, error.description)
  }

  /// What `make` makes of pixels.
  package static func translating<Value>(
    _ make: () throws(PixelError) -> Value
  ) throws(WriteError) -> Value {
    do { return try make() } catch { throw WriteError(error) }
  }

  /// The same of the file at `path`.
  package func at(_ path: String) -> WriteError { WriteError(code, message, path: path) }

  /// For the camera's channels of what is no raw.
  package static let needsRaw = WriteError(
    .badSetting, "camera RGB is made of raws alone; name a color space")

  /// Runs `body` and adds `path` to any ``WriteError`` that it throws.
  package static func about<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as WriteError {
      throw WriteError(error.code, error.message, path: path)
    } catch let error as PixelError {
      throw WriteError(WriteError(error).code, error.description, path: path)
    }
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

/// What people are shown.
extension WriteError {
  /// The whole: `description`.
  public var errorDescription: String? { description }
  /// What happened.
  public var failureReason: String? { MessageParts(message).reason }
  /// What to do next.
  public var recoverySuggestion: String? { MessageParts(message).remedy }
}
