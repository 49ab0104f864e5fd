import ArgumentParser
import Batch
import Foundation
import SystemPackage
import Writers

/// `rawdev worker`: what `rawdev batch` and `rawdev serve` start to develop raws apart from
/// themselves.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Develops for rawdev batch.", shouldDisplay: false)

  /// The executable and arguments that start it: this very program, even when its file was replaced
  /// since.
  static let command = ["/proc/self/exe", "worker"]

  func run() throws {
    // Whoever started it decides when it ends, by closing its input.
    Interruption.hand(to: {})
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE] { signal(number, SIG_IGN) }
    Worker(input: .standardInput, output: .standardOutput) {
      AtomicFile.removeTemporaries()
      _exit(0)
    }.run()
  }
}
