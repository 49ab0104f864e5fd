import Batch
import Develop
import Foundation
import ImageCore

/// The output of `rawdev batch` while it works: JSON lines for programs; for people failures as
/// they happen and one line of progress.
final class BatchPrinter {
  private let json: Bool
  private var isHeard = true
  private var isNoted = false

  /// `json` nil: lines where standard output is no terminal.
  init(json: Bool?) { self.json = json ?? (isatty(1) == 0) }

  /// Whether people read it.
  var isForPeople: Bool { !json }

  func show(_ event: BatchEvent) {
    if json {
      var event = event
      if case .item(var item) = event {
        // Logs have no use for pictures; the report has it.
        item.thumbnail = nil
        event = .item(item)
      }
      // Unbuffered, so that readers can follow. When they are gone the batch continues.
      if let line = try? event.line() { isHeard = isHeard && Terminal.output(line) }
      return
    }
    switch event {
    case .start, .end: break
    case .progress(let progress): Terminal.showLine(ProgressLine.text(progress, columns: 79))
    case .item(let item): show(item)
    }
  }

  private func show(_ item: BatchItem) {
    if !isNoted, let text = item.isolation.flatMap(IsolationOptions.text) {
      isNoted = true
      Terminal.clearProgress()
      Terminal.note(text, about: item.id)
    }
    switch item.status {
    case .failed:
      Terminal.clearProgress()
      let error = item.error
      Terminal.message(
        "\(item.id): " + Hint.added(to: error?.message ?? "failed", error?.remedies ?? []))
    case .planned:
      Terminal.clearProgress()
      let outputs = item.outputs.map(\.path).joined(separator: ", ")
      Terminal.printText("\(item.id): \(item.reason ?? "new") -> \(outputs)")
    case .done, .skipped, .interrupted: break
    }
  }
}
