public import ImageCore

/// Why a picture could not be written: what failed, where, and what to do about it.
public struct WriteError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// A setting is outside its range or not possible in the format.
    case badSetting
    /// The output ICC profile cannot be read, is damaged, or is for another kind of device.
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
  /// What the message advises.
  public let remedies: [Remedy]

  /// A failure of kind `code`.
  public init(
    _ code: Code, _ message: String, path: String? = nil, remedies: [Remedy] = []
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.remedies = remedies
  }

  /// The end of what reads pixels.
  package init(_ error: PixelError) {
    self.init(Code(error), error.description)
  }

  /// The same of the file at `path`.
  package func at(_ path: String) -> WriteError {
    WriteError(code, message, path: path, remedies: remedies)
  }

  /// For the camera's channels of what is no raw.
  package static let needsRaw = WriteError(
    .badSetting, "camera RGB is made of raws alone; name a color space")

  /// Runs `body` and adds `path` to any ``WriteError`` that it throws.
  package static func about<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as WriteError {
      throw error.at(path)
    } catch let error as PixelError {
      throw WriteError(error).at(path)
    }
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

extension WriteError: PixelErrorTranslating {}
extension WriteError.Code: PixelErrorCode {}

extension WriteError.Code {
  /// What a failure of this code means.
  public var kind: FailureKind {
    switch self {
    case .badSetting, .isInput: .request
    case .badProfile: .badInput
    case .cannotWrite, .exists, .diskFull, .encoderFailed, .unsupportedSize: .cannotWrite
    case .cancelled: .cancelled
    case .outOfMemory: .overLimit
    }
  }
}
