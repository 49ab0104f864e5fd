import ImageCore

/// Why a server cannot be started.
package struct TuningServerError: MessageError, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  package enum Code: String, Sendable {
    /// An option is outside its range, or options contradict each other.
    case badSetting
    /// The port is in use, or the address is not one of this computer.
    case cannotListen
  }

  /// The kind of failure.
  package let code: Code
  /// What happened and what to do next, one line.
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  /// The message.
  package var description: String { message }
}
