import Foundation

/// Results that wait for their predecessors. One worker at a time consumes, without holding the
/// lock, so that the others continue; workers that are far ahead wait.
final class OrderedResults<Result>: @unchecked Sendable {
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
final class Box<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
