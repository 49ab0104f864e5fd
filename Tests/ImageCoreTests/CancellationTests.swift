import ImageCore
import Synchronization
import Testing

@Suite struct CancellationTests {
  /// A picture that counts its groups of rows, and cancels in the middle of one of them.
  private struct Counted: PixelSource {
    typealias State = DisplayReferred

    let cancellation: Cancellation
    let cancelsAt: Int
    let reads = Counter()
    let size = PixelSize(width: 3200, height: 2000)
    let info = DisplayReferred.Info(primaries: .srgb, headroom: 1)

    final class Counter: Sendable {
      let begun = Atomic<Int>(0)
      let afterwards = Atomic<Int>(0)
    }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      if cancellation.isCancelled { reads.afterwards.add(1, ordering: .relaxed) }
      if reads.begun.add(1, ordering: .relaxed).newValue == cancelsAt { cancellation.cancel() }
      try buffer.reshape(rect.size)
    }
  }

  @Test(arguments: [1, 2, 7], [1, 5]) func noGroupOfRowsBeginsAfterwards(
    workers: Int, cancelsAt: Int
  ) throws {
    let cancellation = Cancellation()
    let picture = Counted(cancellation: cancellation, cancelsAt: cancelsAt)
    #expect(throws: PixelError.cancelled) {
      try cancellation.run { try Image(rendering: picture, workers: workers) }
    }
    // Others may be between their look at it and their first row.
    #expect(picture.reads.afterwards.load(ordering: .relaxed) < workers)
    #expect(picture.reads.begun.load(ordering: .relaxed) < cancelsAt + workers)
    // It can be read again, by work that is not cancelled.
    #expect(try Image(rendering: picture, workers: workers).size == picture.size)
  }

  @Test(arguments: [1, 4]) func loopsEnd(workers: Int) throws {
    let cancellation = Cancellation()
    let calls = Atomic<Int>(0)
    #expect(throws: PixelError.cancelled) {
      try cancellation.run {
        try Parallel.forEach(count: 1000, workers: workers) { index, _ in
          calls.add(1, ordering: .relaxed)
          if index == 3 { cancellation.cancel() }
        }
      }
    }
    #expect(calls.load(ordering: .relaxed) <= 4 + workers)
    #expect(throws: PixelError.cancelled) {
      try cancellation.run { try Parallel.map(count: 10, workers: workers) { $0 } }
    }
  }

  @Test func workWithinWorkIsCancelledWithIt() throws {
    let outer = Cancellation()
    let inner = outer.run { Cancellation() }
    let other = Cancellation()
    #expect(!inner.isCancelled)
    outer.cancel()
    #expect(inner.isCancelled && !other.isCancelled)
    let alone = Cancellation()
    alone.run { alone.cancel() }
    #expect(throws: PixelError.cancelled) {
      try alone.run { try Parallel.forEach(count: 1) { _, _ in } }
    }
    try other.run { try Parallel.forEach(count: 1) { _, _ in } }
  }

  @Test func cancelledTasksCancelTheirWork() async throws {
    let isBegun = Atomic<Bool>(false)
    let task = Task {
      try await Cancellation.ofTask { () throws(PixelError) in
        isBegun.store(true, ordering: .releasing)
        while true { try Parallel.forEach(count: 1) { _, _ in } }
      }
    }
    while !isBegun.load(ordering: .acquiring) { await Task.yield() }
    task.cancel()
    await #expect(throws: PixelError.cancelled) { try await task.value }
    #expect(await Cancellation.ofTask { 7 } == 7)
  }

  /// Every block of memory that a picture needs is refused once: an error, and no harm to the next.
  @Test(arguments: [1, 3]) func wantOfMemoryIsAnError(workers: Int) throws {
    struct Gray: PixelSource {
      typealias State = DisplayReferred
      let pool = BufferPool()
      let size = PixelSize(width: 3200, height: 700)
      let info = DisplayReferred.Info(primaries: .srgb, headroom: 1)

      func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
        try pool.withBuffer(rect.size) { work throws(PixelError) in
          for plane in 0..<3 {
            for y in 0..<rect.height {
              work.row(plane, y).update(repeating: Float(rect.y + y), count: rect.width)
            }
          }
          try buffer.copy(rect, of: work, from: PixelPoint(x: rect.x, y: rect.y))
        }
      }
    }
    var refused = 0
    while true {
      let asked = Atomic<Int>(0)
      let last = refused
      let cancellation = Cancellation { _ in asked.add(1, ordering: .relaxed).oldValue == last }
      do {
        let image = try cancellation.run { try Image(rendering: Gray(), workers: workers) }
        #expect(image[3199, 699] == SIMD3(repeating: 699))
        break
      } catch PixelError.outOfMemory(let bytes) {
        #expect(bytes > 0)
        refused += 1
      }
    }
    #expect(refused >= 3)
  }
}
