import Codecs
import Formats
import Foundation

extension WriteError {
  /// What an encoder refused, while the file at `path` was written.
  init(_ error: CodecError, path: String? = nil) {
    if error.systemError != 0, let path {
      errno = error.systemError
      self = AtomicFile.failure(error.message, path: path)
    } else {
      self.init(.encoderFailed, error.message, path: path)
    }
  }

  /// Runs `body`; what an encoder refuses becomes a failure of writing.
  static func encoding<R>(_ body: () throws(CodecError) -> R) throws(WriteError) -> R {
    do { return try body() } catch { throw WriteError(error) }
  }

  /// Runs `body`, which writes to `path`; what an encoder refuses becomes a failure of writing that
  /// names it.
  static func encoding<R>(to path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as CodecError {
      throw WriteError(error, path: path)
    }
  }
}
