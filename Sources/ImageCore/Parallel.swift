import Foundation
import Synchronization

/// The only code that distributes work over threads. Results never depend on the number of workers.
public enum Parallel {
  /// One worker for each core that the process may use.
  public static var defaultWorkers: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Calls `body(index, worker)` once for each index in `0..<count`, in any order, on up to
  /// `workers` threads; `worker` is the index of the thread. Returns when all calls have; once one
  /// of them throws, or the work is cancelled, no other is begun.
  public static func forEach(
    count: Int, workers: Int = defaultWorkers,
    _ body: @Sendable (_ index: Int, _ worker: Int) throws(PixelError) -> Void
  ) throws(PixelError) {
    let workers = max(1, min(workers, count))
    if workers == 1 {
      for index in 0..<max(count, 0) {
        try Cancellation.check()
        try body(index, 0)
      }
      return
    }
    let next = Atomic<Int>(0)
    let failure = Mutex<PixelError?>(nil)
    onThreads(workers, "loop", ["count": count]) { worker in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count { return }
        do throws(PixelError) {
          try Cancellation.check()
          try StageThread.part("item", ["index": index]) { () throws(PixelError) in
            try body(index, worker)
          }
        } catch {
          failure.withLock { $0 = $0 ?? error }
          next.store(count, ordering: .relaxed)
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Calls `body` on up to `workers` threads, including the calling one, and returns when all calls
  /// have. While stages are recorded, the threads' time counts toward the caller's stage.
  static func onThreads(
    _ workers: Int, _ name: String, _ details: @autoclosure () -> [String: Int],
    _ body: @Sendable (_ worker: Int) -> Void
  ) {
    let cancellation = Cancellation.current
    withoutActuallyEscaping(body) { body in
      StageThread.sharing(name, details(), body) { body in
        WorkerThreads.perform(workers) { worker in
          Cancellation.$current.withValue(cancellation) { body(worker) }
        }
      }
    }
  }

  /// `make(index)` for each index in `0..<count`, made in any order, returned in order.
  public static func map<Result: Sendable>(
    count: Int, workers: Int = defaultWorkers,
    _ make: @Sendable (_ index: Int) throws(PixelError) -> Result
  ) throws(PixelError) -> [Result] {
    var results = [Result?](repeating: nil, count: max(count, 0))
    try results.withUnsafeMutableBufferPointer { memory throws(PixelError) in
      // Each call has an element of its own.
      nonisolated(unsafe) let results = memory
      try forEach(count: count, workers: workers) { index, _ throws(PixelError) in
        results[index] = try make(index)
      }
    }
    return results.compactMap(\.self)
  }
}
