import Synchronization
import Testing

@testable import Tuning

@Suite struct BlockingWorkTests {
  private struct Failure: Error {}

  /// The number of running items, and its maximum.
  private final class Counter: Sendable {
    private let state = Mutex((now: 0, maximum: 0))
    var maximum: Int { state.withLock { $0.maximum } }
    func begin() { state.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) } }
    func end() { state.withLock { $0.now -= 1 } }
  }

  /// Opens once.
  private final class Gate: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
  }

  @Test func noMoreThanAFewRun() async throws {
    let work = BlockingWork(limit: 3)
    let counter = Counter()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<60 {
        group.addTask {
          try await work.run {
            counter.begin()
            defer { counter.end() }
            return index
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 60 * 59 / 2 && (1...3).contains(counter.maximum))
  }

  @Test func failuresGiveTheirTurnAway() async throws {
    let work = BlockingWork(limit: 1)
    for _ in 0..<5 {
      await #expect(throws: Failure.self) { try await work.run { throw Failure() } }
    }
    #expect(try await work.run { 1 } == 1)
  }

  @Test func whoIsCancelledWaitsNoLonger() async throws {
    let work = BlockingWork(limit: 1)
    let (gate, entered) = (Gate(), Gate())
    let first = Task {
      try await work.run {
        entered.open()
        while !gate.isOpen {}
      }
    }
    while !entered.isOpen { await Task.yield() }
    let second = Task { try await work.run { Issue.record("it had no turn") } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.open()
    try await first.value
    #expect(try await work.run { 1 } == 1)
  }
}
