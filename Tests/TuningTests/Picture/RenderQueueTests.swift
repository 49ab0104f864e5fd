import Foundation
import ImageCore
import Synchronization
import TestSupport
import Testing

@testable import Tuning

@Suite struct RenderQueueTests {
  private let queue = RenderQueue()
  private let log = Log()

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock(\.self) }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func wait(_ isDone: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(1200)
    while !isDone(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    #expect(isDone())
  }

  @Test func idleWorkIsDoneInOrder() async throws {
    for index in 0..<3 {
      async let value = queue.runIdle { [log] in
        log.add("\(index)")
        return index
      }
      #expect(try await value == index)
    }
    #expect(log.all == ["0", "1", "2"])
  }

  /// It does not begin while something is rendered, and begins again where it was ended.
  @Test func urgentWorkGoesFirst() async throws {
    let isFree = Mutex(false)
    let urgent = Task { [queue, log] in
      try await queue.run {
        log.add("urgent")
        while !isFree.withLock(\.self) { usleep(1000) }
      }
    }
    try await wait { log.all == ["urgent"] }
    let idle = Task { [queue, log] in
      try await queue.runIdle {
        log.add("idle")
        guard log.all.count(where: { $0 == "idle" }) == 1 else { return "made" }
        while true {
          try Cancellation.check()
          usleep(1000)
        }
      }
    }
    try await Task.sleep(for: .milliseconds(300))
    #expect(log.all == ["urgent"])
    isFree.withLock { $0 = true }
    try await urgent.value
    try await wait { log.all.last == "idle" }
    try await queue.run { [log] in log.add("next") }
    #expect(try await idle.value == "made")
    #expect(log.all == ["urgent", "idle", "next", "idle"])
  }

  @Test func idleWorkCanBeCancelled() async throws {
    let running = Task { [queue, log] in
      try await queue.runIdle {
        log.add("began")
        while true {
          try Cancellation.check()
          usleep(1000)
        }
      }
    }
    try await wait { log.all == ["began"] }
    let waiting = Task { [queue, log] in try await queue.runIdle { log.add("never") } }
    try await Task.sleep(for: .milliseconds(20))
    for task in [waiting] { task.cancel() }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    // What ended holds up nothing.
    #expect(try await queue.runIdle { 7 } == 7)
    #expect(log.all == ["began"])
  }

  @Test func errorsAreThrown() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await queue.runIdle { () throws -> Int in throw Failure() }
    }
    #expect(try await queue.runIdle { 1 } == 1)
  }
}
