import Dispatch
import Foundation
import Synchronization

/// The only place that spreads work over threads. Results never depend on the number of workers.
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
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count { return }
        body(index, worker)
      }
    }
  }

  /// `make(index)` for each index in `0..<count`, made in any order, returned in order.
  public static func map<Result: Sendable>(
    count: Int, workers: Int = defaultWorkers, _ make: @Sendable (_ index: Int) -> Result
  ) -> [Result] {
    let results = Mutex([Int: Result]())
    forEach(count: count, workers: workers) { index, _ in
      let result = make(index)
      results.withLock { $0[index] = result }
    }
    return results.withLock { found in (0..<max(count, 0)).compactMap { found[$0] } }
  }

  /// Makes each of `0..<count` on up to `workers` threads and hands the results to `consume` one at
  /// a time, in order. At most about `2 × workers` results wait at once. The first error ends the
  /// work and is thrown.
  public static func inOrder<Result>(
    count: Int, workers: Int = defaultWorkers,
    produce: @Sendable (_ index: Int, _ worker: Int) throws -> Result,
    consume: @Sendable (_ index: Int, _ result: Result) throws -> Void
  ) throws {
    let workers = max(1, min(workers, count))
    if workers == 1 {
      for index in 0..<max(count, 0) { try consume(index, try produce(index, 0)) }
      return
    }
    let line = Mutex(Line<Result>())
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count || line.withLock({ $0.failure != nil }) { return }
        do {
          let box = Box(try produce(index, worker))
          try line.withLock { line in
            line.waiting[index] = box
            while line.failure == nil, let ready = line.waiting.removeValue(forKey: line.head) {
              try consume(line.head, ready.value)
              line.head += 1
            }
          }
        } catch {
          line.withLock { if $0.failure == nil { $0.failure = error } }
        }
      }
    }
    if let failure = line.withLock({ $0.failure }) { throw failure }
  }

  private struct Line<Result> {
    var waiting: [Int: Box<Result>] = [:]
    var head = 0
    var failure: (any Error)?
  }

  /// Carries a result from the worker that made it to the one that consumes it.
  private final class Box<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
