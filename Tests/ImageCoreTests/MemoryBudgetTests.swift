import Foundation
import ImageCore
import Synchronization
import Testing

@Suite struct MemoryBudgetTests {
  /// Shared by the threads.
  private final class Seen: Sendable {
    let maximum = Atomic<Int>(0)
    let isIn = Atomic<Bool>(false)
  }

  @Test func neverMoreThanThereIs() async throws {
    let budget = MemoryBudget(bytes: 100)
    let seen = Seen()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        group.addTask {
          try await Cancellation.ofTask {
            try budget.withRoom(for: 10 + index % 40) {
              seen.maximum.max(budget.usedBytes, ordering: .relaxed)
              sched_yield()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(seen.maximum.load(ordering: .relaxed) <= 100 && budget.peakBytes <= 100)
    #expect(budget.usedBytes == 0)
  }

  @Test func whatIsLargerThanAllWorksAlone() throws {
    let budget = MemoryBudget(bytes: 10)
    #expect(try budget.withRoom(for: 1000) { budget.usedBytes } == 1000)
    #expect(budget.usedBytes == 0)
  }

  /// A job that makes another does not wait for itself.
  @Test func jobsWithinAJobTakePartOfIt() throws {
    let budget = MemoryBudget(bytes: 10)
    try budget.withRoom(for: 10) {
      let used = try budget.withRoom(for: 10) { budget.usedBytes }
      #expect(used == 10)
    }
  }

  @Test func whatIsCancelledWaitsNoLonger() throws {
    let budget = MemoryBudget(bytes: 10)
    let isIn = Atomic<Bool>(false)
    let cancellation = Cancellation()
    try budget.withRoom(for: 8) {
      let isOver = Atomic<Bool>(false)
      Cancellation.detach {
        #expect(throws: PixelError.cancelled) {
          try cancellation.run {
            try budget.withRoom(for: 8) { isIn.store(true, ordering: .relaxed) }
          }
        }
        isOver.store(true, ordering: .releasing)
      }
      cancellation.cancel()
      while !isOver.load(ordering: .acquiring) { sched_yield() }
    }
    let wasIn = isIn.load(ordering: .relaxed)
    #expect(!wasIn)
    #expect(try budget.withRoom(for: 10) { budget.usedBytes } == 10)
  }

  @Test func aLargerBudgetLetsMoreIn() throws {
    let budget = MemoryBudget(bytes: 10)
    let seen = Seen()
    try budget.withRoom(for: 8) {
      Cancellation.detach {
        try? budget.withRoom(for: 8) { seen.isIn.store(true, ordering: .releasing) }
      }
      budget.bytes = 16
      while !seen.isIn.load(ordering: .acquiring) { sched_yield() }
    }
    let isIn = seen.isIn.load(ordering: .relaxed)
    #expect(isIn)
  }
}
