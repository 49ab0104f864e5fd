import ImageCore

/// Runs blocking work outside the threads of tasks, a few items at a time; others wait in order. A
/// cancelled task stops waiting.
actor BlockingWork {
  private let limit: Int
  private var running = 0
  private var waiting: [(ticket: Int, turn: CheckedContinuation<Bool, Never>)] = []
  private var tickets = 0

  /// Runs up to `limit` items at a time, 1 or more.
  init(limit: Int) { self.limit = max(limit, 1) }

  /// The result of `body`. Throws `CancellationError` where the task is cancelled before its turn.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await takeTurn()
    defer { passTurn() }
    return try await withCheckedThrowingContinuation { done in
      Cancellation.detach { done.resume(with: Swift.Result { try body() }) }
    }
  }

  private func takeTurn() async throws {
    try Task.checkCancellation()
    if running < limit {
      running += 1
      return
    }
    tickets += 1
    let ticket = tickets
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { waiting.append((ticket, $0)) }
    } onCancel: {
      Task { await leave(ticket) }
    }
    guard isTurn else { throw CancellationError() }
  }

  private func passTurn() {
    if waiting.isEmpty {
      running -= 1
    } else {
      waiting.removeFirst().turn.resume(returning: true)
    }
  }

  private func leave(_ ticket: Int) {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiting.remove(at: index).turn.resume(returning: false)
  }
}
