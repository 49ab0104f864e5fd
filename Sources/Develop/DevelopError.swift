public import Formats
import HDRRender
public import ImageCore
public import RawFilter
public import Readers
public import Recipes

/// Why a file was not developed, converted or composed.
public enum DevelopError: KindedError, Sendable, CustomStringConvertible {
  /// The raw could not be read or rendered.
  case raw(RAWError)
  /// The picture could not be read.
  case read(ReadError)
  /// The output could not be written.
  case write(WriteError)
  /// The recipe or a sidecar cannot be used.
  case recipe(RecipeError)
  /// The work was cancelled; no file was written.
  case cancelled(path: String)

  init(_ error: any Error, path: String) {
    // What fails then fails for that.
    if error.isCancellation || Cancellation.isCancelled {
      self = .cancelled(path: path)
      return
    }
    switch error {
    case let error as PixelError: self = .write(WriteError(error).at(path))
    case let error as RAWError: self = .raw(error.naming(path))
    case let error as ReadError: self = .read(error.naming(path))
    case let error as WriteError: self = .write(error)
    case let error as RecipeError: self = .recipe(error)
    case let error as DevelopError: self = error
    case let error as OperatorError:
      self = .read(ReadError(.badSetting, error.description, path: path))
    default: self = .write(WriteError(.encoderFailed, "\(error)", path: path))
    }
  }

  /// `path: what happened and what to do`.
  public var description: String {
    if case .cancelled(let path) = self { return "\(path): \(message)" }
    return part.map { "\($0)" } ?? message
  }

  /// What happened and what to do, without the path.
  public var message: String {
    switch self {
    case .raw(let error): error.message
    case .read(let error): error.message
    case .write(let error): error.message
    case .recipe(let error): error.description
    case .cancelled: "cancelled; nothing was written"
    }
  }

  /// The error of the part that failed; nil where the work was cancelled.
  private var part: (any KindedError)? {
    switch self {
    case .raw(let error): error
    case .read(let error): error
    case .write(let error): error
    case .recipe(let error): error
    case .cancelled: nil
    }
  }

  /// What the failure means.
  public var kind: FailureKind { part?.kind ?? .cancelled }

  /// Name of the kind of failure, for programs.
  public var codeName: String { part?.codeName ?? RAWError.Code.cancelled.rawValue }

  /// What the message advises.
  public var remedies: [Remedy] { part?.remedies ?? [] }
}

extension Error {
  /// Whether this is how work ends that was cancelled.
  fileprivate var isCancellation: Bool {
    switch self {
    case let error as PixelError: error == .cancelled
    case let error as any PixelErrorCoded: error.isCancellation
    default: self is CancellationError
    }
  }
}
