import Foundation
import SystemPackage

/// Starts a program by `posix_spawn`.
enum ProcessSpawn {
  /// Starts `command`, the executable's path and its arguments, with these standard streams and no
  /// signal blocked, in a process group of its own, so that signals of the terminal do not reach
  /// it. Returns the process identifier. Throws `Errno`.
  static func start(
    _ command: [String], input: FileDescriptor, output: FileDescriptor, errors: FileDescriptor
  ) throws(Errno) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.rawValue, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawn(
      &process, command.first ?? "", &actions, &attributes, &arguments, environ)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
  }
}
