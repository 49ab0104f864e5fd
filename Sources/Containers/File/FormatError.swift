package import ImageCore

/// Why bytes could not be read as the format that they should be: thrown by every container and
/// codec, and translated once, by the module whose user opened the file.
package struct FormatError: PixelErrorTranslating, Sendable, Hashable {
  /// The kind of failure.
  package enum Code: Sendable, Hashable {
    /// The file is not there, is a folder, or may not be read.
    case cannotRead
    /// A known format that uses what is not supported.
    case unsupported
    /// The file has no bytes.
    case empty
    /// The file ends early or contradicts itself.
    case damaged
    /// The file needs more than its limits allow.
    case tooLarge
    /// The work was cancelled.
    case cancelled
    /// The system has no memory for it.
    case outOfMemory
  }

  package let code: Code
  /// What happened and what to do next, one line.
  package let message: String
  /// The file concerned; nil for bytes in memory.
  package let path: String?
  /// What the message advises.
  package let remedies: [Remedy]

  package init(
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
  package func at(_ path: String?) -> FormatError {
    FormatError(code, message, path: path, remedies: remedies)
  }
}

extension FormatError.Code: PixelErrorCode {}
