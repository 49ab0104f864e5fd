import Develop
import Foundation
import Synchronization

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
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(1, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  static func message(_ text: String) {
    var line = text + "\n"
    // One write, and no failure where nobody reads.
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }

  static func clearProgress() {
    guard isInteractive else { return }
    line.withLock { line in
      if line.isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
      line.isShown = false
    }
  }

  /// Shows `text` in place of the last progress.
  static func showLine(_ text: String) {
    guard isInteractive else { return }
    line.withLock { line in
      line.isShown = true
      FileHandle.standardError.write(Data("\r\(text)\u{1B}[K".utf8))
    }
  }

  /// Shows the stage, the share done and the time left; at most ten times a second.
  static func show(
    _ progress: Developer.Progress, of name: String, since start: ContinuousClock.Instant
  ) {
    guard isInteractive else { return }
    line.withLock { line in
      let now = ContinuousClock.now
      guard now - line.lastUpdate > .milliseconds(100) else { return }
      line.lastUpdate = now
      line.isShown = true
      let text =
        switch progress {
        case .decoding: "\(name): decoding"
        case .rendering(let share):
          "\(name): developing \(percent(share))\(left(share, now - start))"
        }
      FileHandle.standardError.write(Data("\r\(text)\u{1B}[K".utf8))
    }
  }

  private static func percent(_ share: Double) -> String { "\(Int(share * 100)) %" }

  private static func left(_ share: Double, _ elapsed: Duration) -> String {
    guard share > 0.05 else { return "" }
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    return ", \(Int((seconds / share * (1 - share)).rounded(.up))) s left"
  }
}
