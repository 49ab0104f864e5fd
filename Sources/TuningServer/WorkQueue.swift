import Dispatch
import Tuning

/// Runs a few work items at a time; the number of waiting ones is limited, too.
actor WorkQueue {
  /// What replaces earlier work of the same kind.
  struct Key: Hashable, Sendable {
    var picture: PictureID
    var page: Pages.Name
    var viewer: String
  }

  private let executor: RenderExecutor
  private let maxWaiting: Int
  private var free: Int
  private var count = 0
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var cancellations: [Int: @Sendable () -> Void] = [:]
  private var latest: [Key: Int] = [:]

  /// A queue that runs `limit` items at a time and lets `maxWaiting` wait.
  init(
    _ label: String, limit: Int, maxWaiting: Int, quality: DispatchQoS = .userInitiated
  ) {
    (free, self.maxWaiting) = (limit, maxWaiting)
    executor = RenderExecutor(label, quality)
  }

  /// The result of `work`. With `key` it replaces earlier work of the same key, which then throws
  /// ``RequestRefusal/replaced``. Throws ``RequestRefusal/busy`` where too much waits.
  func run<Result: Sendable>(
    _ key: Key? = nil, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    count += 1
    let number = count
    if let key, let former = latest.updateValue(number, forKey: key) { replace(former) }
    defer { if let key, latest[key] == number { latest[key] = nil } }
    func isReplaced() -> Bool { key.map { latest[$0] != number } ?? false }

    try await turn(number)
    defer { next() }
    guard !isReplaced() else { throw RequestRefusal.replaced }
    let task = Task(executorPreference: executor) { try await work() }
    cancellations[number] = { task.cancel() }
    defer { cancellations[number] = nil }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch is CancellationError where isReplaced() { throw RequestRefusal.replaced }
  }

  /// The number of waiting items.
  var countWaiting: Int { waiting.count }

  /// Waits until the item `number` may run.
  private func turn(_ number: Int) async throws {
    if free > 0 {
      free -= 1
      return
    }
    guard waiting.count < maxWaiting else { throw RequestRefusal.busy }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.append((number, $0)) }
    } onCancel: {
      Task { await self.drop(number, CancellationError()) }
    }
  }

  /// Lets the next item run.
  private func next() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().continuation.resume() }
  }

  private func replace(_ number: Int) {
    cancellations[number]?()
    drop(number, RequestRefusal.replaced)
  }

  private func drop(_ number: Int, _ error: any Error) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: error)
  }
}
