import ImageCore
import Synchronization
import Testing

@Suite struct ParallelTests {
  @Test(arguments: [1, 2, 5]) func visitsEachIndexOnce(workers: Int) throws {
    let counts = Mutex([Int](repeating: 0, count: 1000))
    try Parallel.forEach(count: 1000, workers: workers) { index, worker in
      counts.withLock { $0[index] += worker < workers ? 1 : 100 }
    }
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func mapKeepsOrder() throws {
    #expect(try Parallel.map(count: 50, workers: 3) { $0 * 2 } == (0..<50).map { $0 * 2 })
    #expect(try Parallel.map(count: 0, workers: 3) { $0 }.isEmpty)
  }
}
