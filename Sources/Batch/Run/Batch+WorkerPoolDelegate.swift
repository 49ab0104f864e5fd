import Develop
import ImageCore
import SystemPackage

/// Tasks for the worker pool, and what follows their replies.
extension Batch: WorkerPoolDelegate {
  var isFinished: Bool { waiting.isEmpty }

  func next() -> WorkerTask? {
    guard hardFailure == nil, let index = waiting.popFirst() else { return nil }
    guard let item = items[index] else { return next() }
    items[index]?.began = .now
    let path = item.source.path
    guard item.isVerified, let record = item.record, item.source.frames.isEmpty else {
      return WorkerTask(id: index, first: .open(item.source))
    }
    let outputs = record.outputs.map { options.output.pushing(FilePath(text: $0.path)).text }
    return WorkerTask(id: index, first: .digest(paths: [path.text] + outputs))
  }

  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
    guard let item = items[task.id] else { return .finish }
    do {
      switch reply {
      case .opened(let info): return try begin(task.id, info)
      case .digests(let digests):
        let expected = [item.record?.info.xxh128] + (item.record?.outputs ?? []).map(\.item.xxh128)
        if digests.map(\.xxh128) == expected {
          finish(task.id, .skipped, reason: "verified")
          return .finish
        }
        if digests.dropFirst().map(\.xxh128) != Array(expected.dropFirst()), !options.overwrites {
          throw BatchError(
            .exists,
            "an output is not what was written; move it away, or let it be replaced",
            remedies: [.allowReplacement])
        }
        items[task.id]?.reason = "content changed"
        items[task.id]?.isStale = true
        return .send(.open(item.source), bytes: 0)
      case .developed(let result): try commit(task.id, result)
      case .failed(let failure): throw ReportedFailure(failure: failure)
      case .ready, .progress, .openedPicture, .converted, .measured: taskFailed(task, .nonsense)
      }
    } catch {
      let failure = (error as? ReportedFailure)?.failure ?? BatchItem.Failure(error)
      let isForAll =
        (error as? BatchError)?.isForAll ?? (failure.code == "diskFull" && isDiskFull(for: task.id))
      discard(task.id)
      if isForAll {
        // Every other source would fail in the same way.
        hardFailure = BatchError(.cannotWrite, failure.message)
        cancellation.cancel()
      }
      finish(task.id, .failed, failure: failure)
    }
    return .finish
  }

  func progressed(_ fraction: Double, of task: WorkerTask) {}

  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) {
    discard(task.id)
    if failure == .cancelled { return finish(task.id, .interrupted) }
    finish(task.id, .failed, failure: BatchItem.Failure(failure, options))
  }

  func tick() {
    if tally.isProgressDue { report(.progress(tally.progress)) }
  }
}

/// A failure that a worker reported.
private struct ReportedFailure: Error { let failure: BatchItem.Failure }
