import ImageCore
import Synchronization
import Testing

@Suite struct ParallelTests {
  @Test(arguments: [1, 2, 5]) func visitsEachIndexOnce(workers: Int) {
    let counts = Mutex([Int](repeating: 0, count: 1000))
    Parallel.forEach(count: 1000, workers: workers) { index, worker in
      counts.withLock { $0[index] += worker < workers ? 1 : 100 }
    }
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func mapKeepsOrder() {
    #expect(Parallel.map(count: 50, workers: 3) { $0 * 2 } == (0..<50).map { $0 * 2 })
    #expect(Parallel.map(count: 0, workers: 3) { $0 }.isEmpty)
  }
}
