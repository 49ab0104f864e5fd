import Foundation
import SystemPackage

/// Turns SIGPIPE into an error: by default the signal ends the program, and a library cannot
/// ask the program to ignore it.
enum BrokenPipe {
  /// Calls `body` with SIGPIPE blocked in this thread. A signal that arrives meanwhile is consumed;
  /// one that was pending before stays pending.
  static func withoutSignal<R>(_ body: () throws -> R) rethrows -> R {
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
      if !wasPending {
        var now = timespec()
        while unsafe sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
      }
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }
}

extension FileDescriptor {
  /// Writes all of `bytes`. Throws `Errno`, where nobody reads them ``Errno/brokenPipe``.
  func send(_ bytes: some Sequence<UInt8>) throws {
    _ = try BrokenPipe.withoutSignal { try writeAll(bytes) }
  }
}
