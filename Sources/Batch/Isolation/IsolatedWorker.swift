import Develop
import Foundation
import ImageCore
import RawFilter
import SystemPackage

/// A worker process for one file, with limits of memory and time for all of its requests.
/// Blocks its thread. Not synchronized: for one thread.
final class IsolatedWorker {
  private let process: WorkerProcess
  private let limits: IsolatedDeveloper
  /// The file that errors name.
  private let path: String
  private let began = ContinuousClock.now

  init(_ limits: IsolatedDeveloper, for path: String) throws(IsolationError) {
    (self.limits, self.path) = (limits, path)
    do {
      process = try WorkerProcess(
        limits.worker, memoryBytes: limits.memoryBytes, limits: limits.limits)
    } catch { throw IsolationError(error.codeName, error.kind, error.message, path: path) }
  }

  /// Sends a request and returns the reply to it; `failed` is thrown.
  func ask(
    _ request: WorkerRequest, handing files: [FileDescriptor] = [],
    progress: (Double) -> Void = { _ in }
  ) throws(IsolationError) -> WorkerReply {
    // Where it is gone already, the end of its replies tells how it ended.
    if !process.send(request, handing: files), process.isDeaf { throw lost(.deaf) }
    while true {
      var waited = [process.replies]
      if process.isStderrOpen { waited.append(process.stderr) }
      for index in Poll.readable(waited, milliseconds: 20) where index == 1 {
        process.readStderr()
      }
      guard let replies = process.read() else { throw crash() }
      for reply in replies {
        switch reply {
        case .ready: break
        case .progress(let fraction): progress(fraction)
        case .failed(let failure): throw IsolationError(failure, path: path)
        default:
          guard request.isAnswered(by: reply) else { throw lost(.nonsense) }
          return reply
        }
      }
      if Cancellation.isCancelled {
        process.terminate()
        throw IsolationError(
          RAWError.Code.cancelled.rawValue, .cancelled, "cancelled; nothing was written", path: path
        )
      }
      try check()
    }
  }

  /// Throws, and ends the process, where it took too much time or memory.
  private func check() throws(IsolationError) {
    guard ContinuousClock.now - began < .seconds(limits.timeoutSeconds) else {
      process.terminate()
      throw lost(.timeout)
    }
    guard process.memoryBytes <= limits.memoryBytes else {
      process.terminate()
      throw lost(.memory)
    }
  }

  /// The failure of the file whose worker was lost so.
  func lost(_ failure: WorkerFailure) -> IsolationError {
    IsolationError(failure, limits, path: path)
  }

  private func crash() -> IsolationError {
    let end = process.wait()
    process.readStderr()
    // An allocation was refused before the process was ended for its memory use.
    if process.peakBytes > limits.memoryBytes { return lost(.memory) }
    return lost(.crash(end, lastStderrLine: process.lastStderrLine))
  }
}
