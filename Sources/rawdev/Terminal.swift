import Develop
import Foundation
import Synchronization
import SystemPackage

/// Standard error: messages, and one progress line when it is a terminal.
enum Terminal {
  static let isInteractive = isatty(2) == 1
  private static let line = Mutex(Line())

  private struct Line {
    var isShown = false
    var lastUpdate = ContinuousClock.now - .seconds(1)
  }

  /// Writes `data` to standard output; false where nobody reads it.
  static func output(_ data: Data) -> Bool {
    (try? FileDescriptor.standardOutput.writeAll(data)) != nil
  }

  /// Writes a line to standard error, at once and in one piece.
  static func message(_ text: String) { write(text + "\n") }

  /// Whether `--quiet` was given.
  static let isQuiet = Atomic(false)

  /// Writes a line to standard error that reports no failure.
  static func note(_ text: String) {
    if !isQuiet.load(ordering: .relaxed) { message(text) }
  }

  /// Prints what was done about `output`: on standard error where that is standard output.
  static func result(_ text: String, writing output: String) {
    if output == StandardStreams.output { message(text) } else { print(text) }
  }

  /// Prints a row of a table: a name and its value.
  static func printRow(_ name: String, _ value: String) {
    print(name.padding(toLength: 22, withPad: " ", startingAt: 0) + value)
  }

  private static func write(_ text: String) {
    // No failure where nobody reads.
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  static func clearProgress() {
    guard isInteractive else { return }
    line.withLock { line in
      if line.isShown { write("\r\u{1B}[K") }
      line.isShown = false
    }
  }

  /// Shows `text` in place of the last progress.
  static func showLine(_ text: String) {
    guard isInteractive else { return }
    line.withLock { line in
      line.isShown = true
      write("\r\(text)\u{1B}[K")
    }
  }

  /// Shows the stage, the fraction done and the time left; at most ten times a second.
  static func show(
    _ progress: Developer.Progress, of name: String, since start: ContinuousClock.Instant
  ) {
    guard isInteractive, !isQuiet.load(ordering: .relaxed) else { return }
    line.withLock { line in
      let now = ContinuousClock.now
      guard now - line.lastUpdate > .milliseconds(100) else { return }
      line.lastUpdate = now
      line.isShown = true
      let text =
        switch progress {
        case .decoding: "\(name): decoding"
        case .rendering(let fraction):
          "\(name): developing \(Int(fraction * 100)) %\(left(fraction, now - start))"
        }
      write("\r\(text)\u{1B}[K")
    }
  }

  private static func left(_ fraction: Double, _ elapsed: Duration) -> String {
    guard fraction > 0.05 else { return "" }
    let seconds = elapsed / .seconds(1)
    return ", \(Int((seconds / fraction * (1 - fraction)).rounded(.up))) s left"
  }
}
