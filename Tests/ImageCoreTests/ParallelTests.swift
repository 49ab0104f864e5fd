import ImageCore
import Synchronization
import Testing

@Suite struct ParallelTests {
  private struct Stop: Error {}

  @Test(arguments: [1, 2, 5]) func visitsEachIndexOnce(workers: Int) {
    let counts = Mutex([Int](repeating: 0, count: 1000))
    Parallel.forEach(count: 1000, workers: workers) { index, worker in
      counts.withLock { $0[index] += worker < workers ? 1 : 100 }
    }
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test(arguments: [1, 2, 5]) func consumesInOrder(workers: Int) throws {
    let got = Mutex([Int]())
    try Parallel.inOrder(count: 200, workers: workers) { index, _ in
      index * index
    } consume: { index, result in
      #expect(result == index * index)
      got.withLock { $0.append(index) }
    }
    #expect(got.withLock { $0 } == Array(0..<200))
  }

  @Test(arguments: [1, 2, 5]) func firstErrorEndsTheWork(workers: Int) {
    let consumed = Mutex(0)
    #expect(throws: Stop.self) {
      try Parallel.inOrder(count: 1000, workers: workers) { index, _ in
        if index == 20 { throw Stop() }
        return index
      } consume: { _, _ in
        consumed.withLock { $0 += 1 }
      }
    }
    #expect(consumed.withLock { $0 } <= 20)
  }

  @Test func mapKeepsOrder() {
    #expect(Parallel.map(count: 50, workers: 3) { $0 * 2 } == (0..<50).map { $0 * 2 })
    #expect(Parallel.map(count: 0, workers: 3) { $0 }.isEmpty)
  }
}
