import ArgumentParser
import Batch
import Formats
import Foundation
import SystemPackage

/// `rawdev worker`: the process in which `rawdev batch` and `rawdev serve` develop raws.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Develops raws for rawdev batch and rawdev serve.",
    shouldDisplay: false)

  /// The executable and arguments that start it: this very program, even when its file was replaced
  /// since.
  static var command: [String] {
    #if os(Linux)
      ["/proc/self/exe", "worker"]
    #else
      [Bundle.main.executablePath ?? CommandLine.arguments[0], "worker"]
    #endif
  }

  /// Drops the rights that a worker does not need, where this process is one. Call before threads
  /// are started.
  static func confine() {
    if CommandLine.arguments.dropFirst().first == configuration.commandName { Isolation.enter() }
  }

  func run() throws {
    // The process that started it ends it by closing its input.
    Interruption.hand(to: {})
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE] { signal(number, SIG_IGN) }
    Worker(input: .standardInput, output: .standardOutput) {
      AtomicFile.removeTemporaries { _exit(0) }
    }.run()
  }
}
