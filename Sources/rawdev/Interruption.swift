import Dispatch
import Foundation
import Writers

/// Ctrl-C and termination: the half-written file goes, the old one stays, and the exit code says that
/// the work can be taken up again.
enum Interruption {
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Call once, before any work.
  static func install() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        AtomicFile.removeTemporaries()
        Terminal.clearProgress()
        Terminal.message("rawdev: interrupted; nothing half-written is left behind")
        _exit(ExitStatus.interrupted.rawValue)
      }
      source.resume()
      sources.append(source)
    }
  }
}
