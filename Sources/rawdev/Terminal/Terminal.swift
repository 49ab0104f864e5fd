import ArgumentParser
import Batch
import Develop
import Foundation
import ImageCore
import Synchronization
import SystemPackage

/// Standard error: messages, and one progress line when it is a terminal.
enum Terminal {
  /// When messages are colored.
  enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  static let isInteractive = isatty(2) == 1
  /// The value of `--color`.
  static let color = Mutex(ColorChoice.auto)
  private static let line = Mutex(Line())

  private struct Line {
    var isShown = false
    var lastUpdate = ContinuousClock.now - .seconds(1)
  }

  /// Writes `data` to standard output; false where nobody reads it.
  static func output(_ data: Data) -> Bool {
    (try? FileDescriptor.standardOutput.writeAll(data)) != nil
  }

  /// Writes a line to standard error, in one write; with `keepsLines` several.
  static func message(_ text: String, keepsLines: Bool = false) {
    write(shown(text, keepsLines: keepsLines) + "\n")
  }

  /// `text`, which may be out of a file, without characters that would control the terminal. Its
  /// line feeds stay with `keepsLines`: for texts whose lines are ours, since a name of a file with
  /// line feeds would make messages of its own.
  private static func shown(_ text: String, keepsLines: Bool = false) -> String {
    EscapedText.of(text, longest: .max, keepsLines: keepsLines)
  }

  /// Whether `--quiet` was given.
  static let isQuiet = Atomic(false)

  /// Writes a line about a failure.
  static func failure(_ text: String) {
    write(colored("rawdev:", "1;31") + " \(shown(text))\n")
  }

  /// Writes a line about `file` that reports no failure.
  static func note(_ text: String, about file: String) {
    guard !isQuiet.load(ordering: .relaxed) else { return }
    write(
      "\(EscapedText.of(file, longest: .max)): " + colored("note:", "33")
        + " \(shown(text))\n")
  }

  /// Writes `texts` about `file`, and the options for their advice.
  static func notes(_ texts: [String], advising remedies: [Remedy] = [], about file: String) {
    for text in texts { note(text, about: file) }
    if !remedies.isEmpty { note("what helps: \(Hint.ways(remedies))", about: file) }
  }

  /// Writes each note of the outputs of `file` once.
  static func notes(_ reports: [DevelopReport], about file: String) {
    notes(
      Set(reports.flatMap(\.warnings)).sorted(),
      advising: Remedy.each(reports.flatMap { $0.remedies ?? [] }), about: file)
  }

  /// `text` in the color of this number of ECMA-48, where messages are colored. NO_COLOR: see
  /// https://no-color.org.
  private static func colored(_ text: String, _ number: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let isColored =
      switch color.withLock({ $0 }) {
      case .always: true
      case .never: false
      case .auto:
        isInteractive && environment["NO_COLOR", default: ""].isEmpty
          && environment["TERM"] != "dumb"
      }
    return isColored ? "\u{1B}[\(number)m\(text)\u{1B}[0m" : text
  }

  /// Prints a result about `output`: on standard error where `output` is standard output.
  static func result(_ text: String, writing output: String) {
    if output == StandardStreams.output { message(text) } else { printText(text) }
  }

  /// Prints JSON about `output` to the same stream, unescaped: its texts are for programs.
  static func resultJSON(_ line: String, writing output: String) {
    if output == StandardStreams.output { write(line + "\n") } else { print(line) }
  }

  /// Prints a line for people, which may be out of a file; with `keepsLines` several.
  static func printText(_ text: String, keepsLines: Bool = false) {
    print(shown(text, keepsLines: keepsLines))
  }

  /// Prints a row of a table: a name and its value.
  static func printRow(_ name: String, _ value: String) {
    printText(name.padding(toLength: 22, withPad: " ", startingAt: 0) + value)
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

  /// Shows `text` instead of the last progress.
  static func showLine(_ text: String) {
    guard isInteractive, !isQuiet.load(ordering: .relaxed) else { return }
    line.withLock { line in
      line.isShown = true
      write("\r\(text)\u{1B}[K")
    }
  }

  /// Shows the progress of `work` since `start`, after a second, at most ten times a second;
  /// `fraction` nil where it is unknown.
  static func show(_ work: String, _ fraction: Double?, since start: ContinuousClock.Instant) {
    guard isInteractive, !isQuiet.load(ordering: .relaxed) else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1) else { return }
    line.withLock { line in
      guard now - line.lastUpdate > .milliseconds(100) else { return }
      line.lastUpdate = now
      line.isShown = true
      let text = ProgressLine.text(
        EscapedText.of(work), fraction: fraction, seconds: (now - start) / .seconds(1),
        columns: 79)
      write("\r\(text)\u{1B}[K")
    }
  }
}
