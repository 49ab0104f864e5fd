import Dispatch
import Foundation
import Synchronization
import Writers

/// Ctrl-C and termination: the half-written file goes, the old one stays, and the exit code says
/// that the work can be taken up again.
enum Interruption {
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
  private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Lets `body` end the work instead; a second signal then ends it at once.
  static func hand(to body: @escaping @Sendable () -> Void) {
    handler.withLock { $0 = body }
  }

  /// Call once, before any work.
  static func install() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let body = handler.withLock { handler in
          defer { handler = nil }
          return handler
        }
        if let body { return body() }
        AtomicFile.removeTemporaries()
        Terminal.clearProgress()
        Terminal.message("rawdev: interrupted; nothing half-written is left behind")
        _exit(ExitStatus.interrupted.code)
      }
      source.resume()
      sources.append(source)
    }
  }
}
