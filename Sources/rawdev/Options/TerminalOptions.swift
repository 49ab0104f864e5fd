import ArgumentParser
import Synchronization

/// How a command speaks to people on standard error.
struct TerminalOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print failures only.")
  var quiet = false

  @Option(help: "Color messages; auto is on terminals, unless NO_COLOR is set.")
  var color = Terminal.ColorChoice.auto

  func validate() {
    Terminal.isQuiet.store(quiet, ordering: .relaxed)
    Terminal.color.withLock { $0 = color }
  }
}
