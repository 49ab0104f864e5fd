import Batch
import Foundation

/// What `rawdev batch` says while it works.
final class BatchPrinter {
  private let json: Bool

  init(json: Bool) { self.json = json }

  func show(_ event: BatchEvent) {
    if json {
      if let line = try? JSON.line(event) { print(line) }
      return
    }
    switch event {
    case .item(let item) where item.status == .failed:
      Terminal.clearProgress()
      Terminal.message("\(item.input): \(item.error?.message ?? "failed")")
    case .end(let end):
      Terminal.clearProgress()
      Terminal.message(
        "\(end.done) done, \(end.skipped) up to date, \(end.failed) failed in \(end.seconds) s")
    default: break
    }
  }
}
