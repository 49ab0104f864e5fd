import Foundation

/// Writing where nobody reads is an error like others: the signal that comes with it would end the
/// whole program unless that has made arrangements, which a library cannot ask for.
enum BrokenPipe {
  /// What `body` returns, with SIGPIPE kept from this thread. One that came meanwhile is taken away; one
  /// that waited before stays.
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
