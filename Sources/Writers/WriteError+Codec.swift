import Codecs
import Formats
import Foundation

extension WriteError {
  /// The failure of an encoder while writing the file at `path`.
  init(_ error: CodecError, path: String? = nil) {
    if error.systemError != 0, let path {
      errno = error.systemError
      self = AtomicFile.failure(error.message, path: path)
    } else {
      self.init(.encoderFailed, error.message, path: path)
    }
  }

  /// Runs `body` and converts a `CodecError` to a `WriteError`.
  static func encoding<R>(_ body: () throws(CodecError) -> R) throws(WriteError) -> R {
    do { return try body() } catch { throw WriteError(error) }
  }

  /// Runs `body`, which writes to `path`, and converts a `CodecError` to a `WriteError` with
  /// that path.
  static func encoding<R>(to path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as CodecError {
      throw WriteError(error, path: path)
    }
  }
}
