internal import CPOSIX
import Foundation
package import SystemPackage

/// Starts a program by `posix_spawn`.
package enum ProcessSpawn {
  /// Starts `command`, the executable's path and its arguments, with these standard streams and no
  /// signal blocked, in a process group of its own, so that signals of the terminal do not reach
  /// it. Returns the process identifier. Throws `Errno`.
  package static func start(
    _ command: [String], input: FileDescriptor, output: FileDescriptor, errors: FileDescriptor
  ) throws(Errno) -> Int32 {
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe cposix_spawn(
      &process, command.first ?? "", &arguments, environ, input.rawValue, output.rawValue,
      errors.rawValue)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
  }
}
