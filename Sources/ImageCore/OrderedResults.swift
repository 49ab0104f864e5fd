import Synchronization

/// Results that wait for their predecessors. One worker at a time consumes, without holding the
/// lock, so that the others continue.
final class OrderedResults<Result, Failure: Error>: @unchecked Sendable {
  private let lock = Mutex(())
  private var waiting: [Int: Result] = [:]
  private var head = 0
  private var isConsuming = false
  private var firstError: Failure?

  var failure: Failure? { lock.withLock { _ in firstError } }

  func add(_ result: Result, at index: Int) { lock.withLock { _ in waiting[index] = result } }

  /// The next result, for this worker to consume; nil while it is missing or another consumes.
  func takeHead() -> (Int, Result)? {
    lock.withLock { _ in
      guard !isConsuming, firstError == nil, let result = waiting.removeValue(forKey: head) else {
        return nil
      }
      isConsuming = true
      return (head, result)
    }
  }

  func finishHead() {
    lock.withLock { _ in
      head += 1
      isConsuming = false
    }
  }

  func fail(_ error: Failure) {
    lock.withLock { _ in
      if firstError == nil { firstError = error }
      isConsuming = false
    }
  }
}
