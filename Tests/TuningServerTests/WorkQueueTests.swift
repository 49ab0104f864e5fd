import Foundation
import Testing
import Tuning

@testable import TuningServer

/// How renderings give way to each other.
@Suite struct WorkQueueTests {
  private let key: WorkQueue.Key
  init() throws {
    let id = try #require(PictureID("0123456789abcdef-0123456789abcdef"))
    key = WorkQueue.Key(picture: id, page: "a", viewer: "main")
  }

  /// Work that reports its start to `started`, and ends when it is cancelled.
  private func endless(
    _ started: AsyncStream<Int>.Continuation
  ) -> @Sendable () async throws -> Int {
    {
      started.yield(0)
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try Task.checkCancellation()
      return 1
    }
  }

  @Test func laterWorkOfTheSameKindReplacesEarlier() async throws {
    let queue = WorkQueue("test", limit: 2, maxWaiting: 4)
    let (stream, started) = AsyncStream<Int>.makeStream()
    var starts = stream.makeAsyncIterator()
    let first = Task { [key, endless = endless(started)] in try await queue.run(key, endless) }
    _ = await starts.next()
    let second = try await queue.run(key) { 2 }
    #expect(second == 2)
    await #expect { try await first.value } throws: { ($0 as? RequestRefusal)?.code == "replaced" }
  }

  @Test func workThatWaitsIsReplacedToo() async throws {
    let queue = WorkQueue("test", limit: 1, maxWaiting: 4)
    let (stream, started) = AsyncStream<Int>.makeStream()
    var starts = stream.makeAsyncIterator()
    let running = Task { [endless = endless(started)] in try await queue.run(nil, endless) }
    _ = await starts.next()
    let waiting = Task { [key] in try await queue.run(key) { 1 } }
    while await queue.countWaiting < 1 { await Task.yield() }
    let last = Task { [key] in try await queue.run(key) { 2 } }
    await #expect { try await waiting.value } throws: {
      ($0 as? RequestRefusal)?.code == "replaced"
    }
    running.cancel()
    #expect(try await last.value == 2)
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func whatWaitsIsBounded() async throws {
    let queue = WorkQueue("test", limit: 1, maxWaiting: 1)
    let (stream, started) = AsyncStream<Int>.makeStream()
    var starts = stream.makeAsyncIterator()
    let running = Task { [endless = endless(started)] in try await queue.run(nil, endless) }
    _ = await starts.next()
    let waiting = Task { try await queue.run { 1 } }
    while await queue.countWaiting < 1 { await Task.yield() }
    await #expect { try await queue.run { 2 } } throws: { ($0 as? RequestRefusal)?.code == "busy" }
    // A cancelled item makes room.
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    running.cancel()
    #expect(try await queue.run { 3 } == 3)
  }
}
