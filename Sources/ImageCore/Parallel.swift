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
    let line = Line<Result>(limit: 2 * workers)
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count || line.hasFailed { return }
        do {
          line.add(Box(try produce(index, worker)), at: index)
          while let (head, ready) = line.takeHead() {
            try consume(head, ready.value)
            line.finishHead()
          }
        } catch {
          line.fail(error)
        }
      }
    }
    if let failure = line.failure { throw failure }
  }

  /// Results that wait for their predecessors. One worker at a time consumes, without holding the
  /// lock, so that the others continue; workers that are far ahead wait.
  private final class Line<Result>: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private var waiting: [Int: Box<Result>] = [:]
    private var head = 0
    private var isConsuming = false
    private(set) var failure: (any Error)?

    init(limit: Int) { self.limit = limit }

    var hasFailed: Bool { condition.withLock { failure != nil } }

    func add(_ box: Box<Result>, at index: Int) {
      condition.withLock {
        waiting[index] = box
        while isConsuming, waiting.count >= limit, failure == nil { condition.wait() }
      }
    }

    /// The next result, for this worker to consume; nil while it is missing or another consumes.
    func takeHead() -> (Int, Box<Result>)? {
      condition.withLock {
        guard !isConsuming, failure == nil, let box = waiting.removeValue(forKey: head) else {
          return nil
        }
        isConsuming = true
        return (head, box)
      }
    }

    func finishHead() {
      condition.withLock {
        head += 1
        isConsuming = false
        condition.broadcast()
      }
    }

    func fail(_ error: any Error) {
      condition.withLock {
        if failure == nil { failure = error }
        isConsuming = false
        condition.broadcast()
      }
    }
  }

  /// Carries a result from the worker that made it to the one that consumes it.
  private final class Box<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
