import Foundation

/// Turns SIGPIPE into an error: by default the signal ends the whole program, and a library cannot
/// ask the program to ignore it.
enum BrokenPipe {
  /// Calls `body` with SIGPIPE blocked in this thread. A signal that arrives meanwhile is consumed;
  /// one that was pending before stays pending.
  static func withoutSignal<R>(_ body: () -> R) -> R {
    var (own, before, waiting) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&own)
    sigaddset(&own, SIGPIPE)
    sigpending(&waiting)
    let isWaiting = sigismember(&waiting, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &own, &before)
    let result = body()
    let failure = errno
    if !isWaiting {
      var now = timespec()
      while sigtimedwait(&own, nil, &now) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = failure
    return result
  }
}
