import Foundation
public import SystemPackage

/// Why a batch, or one of its files, cannot go on: what happened and what to do.
public struct BatchError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public enum Code: String, Sendable {
    /// A file or folder is not there or may not be read.
    case cannotRead
    /// The output folder, its journal or its report cannot be written to.
    case cannotWrite
    /// A manifest or a report is not what it should be.
    case badManifest
    /// A setting is outside its range, or settings do not go together.
    case badSetting
    /// Two sources would be written to one file.
    case sameOutput
    /// The output is there and was not written by this batch, or was changed since.
    case exists
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do next, one line.
  public let message: String
  /// The file or folder concerned.
  public let path: FilePath?
  /// Whether what follows would fail in the same way.
  let isForAll: Bool

  init(_ code: Code, _ message: String, path: FilePath? = nil, isForAll: Bool = false) {
    (self.code, self.message, self.path, self.isForAll) = (code, message, path, isForAll)
  }

  /// `path: message`.
  public var description: String { path.map { "\($0.shown): \(message)" } ?? message }

  /// What `errno` says now.
  static func reason() -> String { String(cString: strerror(errno)) }

  /// Something that could not be written, for the reason that `errno` gives: a full disk or one that may
  /// only be read stops all that is written there.
  static func cannotWrite(_ what: (String) -> String, path: FilePath) -> BatchError {
    let isForAll = [ENOSPC, EDQUOT, EROFS].contains(errno)
    return BatchError(.cannotWrite, what(reason()), path: path, isForAll: isForAll)
  }
}
