import Batch
import Dispatch
import Formats
import Foundation
import Synchronization

/// Ctrl-C and termination: the unfinished file is removed, an old one stays, and the exit code
/// tells that the work can be continued.
enum Interruption {
  private static let sources = Mutex<[any DispatchSourceSignal]>([])
  private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Lets `body` end the work instead; a second signal then ends it at once.
  static func hand(to body: @escaping @Sendable () -> Void) {
    handler.withLock { $0 = body }
  }

  /// Makes signals cancel a token instead; a second signal ends the process at once. Writing to a
  /// closed pipe becomes an error.
  static func cancellation() -> CancellationToken {
    signal(SIGPIPE, SIG_IGN)
    let token = CancellationToken()
    hand { token.cancel() }
    return token
  }

  /// Call once, before any work.
  static func install() {
    sources.withLock { sources in
      for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { interrupt() }
        source.resume()
        sources.append(source)
      }
    }
  }

  private static func interrupt() {
    let body = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    if let body { return body() }
    AtomicFile.removeTemporaries {
      Terminal.clearProgress()
      Terminal.failure("interrupted; unfinished files were removed")
      _exit(ExitStatus.interrupted.code)
    }
  }
}
