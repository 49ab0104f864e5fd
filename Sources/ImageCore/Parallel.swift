import Dispatch
import Foundation
import Synchronization

/// The only code that distributes work over threads. Results never depend on the number of workers.
public enum Parallel {
  /// One worker for each core that the process may use.
  public static var defaultWorkers: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Calls `body(index, worker)` once for each index in `0..<count`, in any order, on up to
  /// `workers` threads; `worker` tells them apart. Returns when all calls have.
  public static func forEach(
    count: Int, workers: Int = defaultWorkers,
    _ body: @Sendable (_ index: Int, _ worker: Int) -> Void
  ) {
    let workers = max(1, min(workers, count))
    if workers == 1 {
      for index in 0..<max(count, 0) { body(index, 0) }
      return
    }
    let next = Atomic<Int>(0)
    onThreads(workers, "loop", ["count": count]) { worker in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count { return }
        StageThread.part("item", ["index": index]) { body(index, worker) }
      }
    }
  }

  /// Calls `body` on each of `workers` threads, the calling one among them, and returns when all
  /// have. While stages are recorded, the threads' time counts as that of the caller's stage.
  static func onThreads(
    _ workers: Int, _ name: String, _ details: @autoclosure () -> [String: Int],
    _ body: @Sendable (_ worker: Int) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      StageThread.sharing(name, details(), body) { body in
        DispatchQueue.concurrentPerform(iterations: workers, execute: body)
      }
    }
  }

  /// `make(index)` for each index in `0..<count`, made in any order, returned in order.
  public static func map<Result: Sendable>(
    count: Int, workers: Int = defaultWorkers, _ make: @Sendable (_ index: Int) -> Result
  ) -> [Result] {
    let count = max(count, 0)
    return [Result](unsafeUninitializedCapacity: count) { memory, initialized in
      guard let first = memory.baseAddress else { return }
      // Each call has a place of its own.
      nonisolated(unsafe) let results = first
      forEach(count: count, workers: workers) { index, _ in
        (results + index).initialize(to: make(index))
      }
      initialized = count
    }
  }
}
