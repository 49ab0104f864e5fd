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
    /// One output, or its folder, cannot be written.
    case outputRefused
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

  init(_ code: Code, _ message: String, path: FilePath? = nil) {
    (self.code, self.message, self.path) = (code, message, path)
  }

  /// `path: message`.
  public var description: String { path.map { "\($0.shown): \(message)" } ?? message }

  /// What `errno` says now.
  static func reason() -> String { String(cString: strerror(errno)) }
}
