package import Containers
public import ImageCore

/// Why a raw file could not be opened or developed: what went wrong, in which stage, and what to
/// do.
public struct RAWError: CodedError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, FailureCode {
    /// The file is missing, is a folder, or cannot be read.
    case cannotRead
    /// Not a supported raw format.
    case notARaw
    /// A raw file with unsupported storage or an unsupported camera.
    case unsupported
    /// The file is truncated or inconsistent.
    case damaged
    /// Decoding would exceed one of the limits (`DecodeLimits`).
    case tooLarge
    /// A setting is outside its range.
    case badSetting
    /// The work was cancelled.
    case cancelled
    /// Out of memory.
    case outOfMemory
  }

  /// The pipeline stage of the failure.
  public enum Stage: String, Sendable {
    /// Opening and identifying the file.
    case open
    /// Decoding its pixels.
    case decode
    /// Turning sensor values into camera colors.
    case sensor
    /// Converting camera colors to scene-linear values.
    case color
    /// Merging several files into one picture.
    case merge
    /// Checking settings.
    case settings
  }

  /// The kind of failure.
  public let code: Code
  /// The stage.
  public let stage: Stage
  /// What happened and what to do next, one line.
  public package(set) var message: String
  /// The file concerned; nil for bytes in memory.
  public package(set) var path: String?
  /// The property that is outside its range, by its name in ``RAWProperty``; nil for other
  /// failures.
  public let setting: String?
  /// What the message recommends.
  public let remedies: [Remedy]

  /// A failure of kind `code` in `stage`.
  public init(
    _ code: Code, _ stage: Stage, _ message: String, path: String? = nil, setting: String? = nil,
    remedies: [Remedy] = []
  ) {
    self.code = code
    self.stage = stage
    self.message = message
    self.path = path
    self.setting = setting
    self.remedies = remedies
  }

  /// This error with `path`, unless it names a file already.
  package func naming(_ path: String) -> RAWError {
    var error = self
    error.path = error.path ?? path
    return error
  }

  /// Wraps an error of a pixel source.
  package init(_ error: PixelError, _ stage: Stage) {
    self.init(Code(error), stage, error.description)
  }

  /// Wraps an error of a container or codec in `stage`.
  package init(_ error: FormatError, _ stage: Stage) {
    let code: Code =
      switch error.code {
      case .cannotRead: .cannotRead
      case .unsupported: .unsupported
      case .empty, .damaged: .damaged
      case .tooLarge: .tooLarge
      case .cancelled: .cancelled
      case .outOfMemory: .outOfMemory
      }
    self.init(code, stage, error.message, path: error.path, remedies: error.remedies)
  }

  /// Runs `make`; rethrows its error as one of `stage`.
  package static func translating<Value>(
    _ stage: Stage, _ make: () throws(PixelError) -> Value
  ) throws(RAWError) -> Value {
    do { return try make() } catch { throw RAWError(error, stage) }
  }

  /// Runs `read`; rethrows its error as one of `stage`.
  package static func translating<Value>(
    _ stage: Stage, _ read: () throws(FormatError) -> Value
  ) throws(RAWError) -> Value {
    do { return try read() } catch { throw RAWError(error, stage) }
  }

  /// `path: message`.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

extension RAWError: PixelErrorCoded {}
extension RAWError.Code: PixelErrorCode {}

extension RAWError.Code {
  /// The kind of failure for exit statuses and reports.
  public var kind: FailureKind {
    switch self {
    case .cannotRead: .cannotRead
    case .badSetting: .request
    case .notARaw, .unsupported, .damaged, .tooLarge: .badInput
    case .cancelled: .cancelled
    case .outOfMemory: .overLimit
    }
  }
}
