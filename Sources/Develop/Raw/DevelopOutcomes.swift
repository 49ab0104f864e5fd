/// The outcomes of many jobs in the order of completion; see
/// ``Developer/outcomes(of:limit:workers:updates:)``.
struct DevelopOutcomes<Jobs: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Jobs.Element == DevelopJob, Jobs.Failure == Never {
  typealias Element = DevelopOutcome
  typealias Failure = Never

  /// More pictures at a time than any machine develops.
  private static var maxSlots: Int { 1024 }

  let jobs: Jobs
  let limit: Int
  let workers: Int
  let updates: AsyncStream<DevelopUpdate>.Continuation?

  /// Begins the work.
  func makeAsyncIterator() -> Iterator {
    let (slots, free) = AsyncStream.makeStream(of: Void.self)
    let (outcomes, finished) = AsyncStream.makeStream(of: DevelopOutcome.self)
    for _ in 0..<Swift.min(limit, Self.maxSlots) { free.yield() }
    let driver = Task {
      await withTaskGroup(of: Void.self) { group in
        var jobs = jobs.makeAsyncIterator()
        // The slot first, so that a job begins as soon as it is taken from its source.
        for await _ in slots {
          guard !Task.isCancelled, let job = await jobs.next(isolation: nil) else { break }
          group.addTask { finished.yield(await outcome(of: job)) }
        }
      }
      finished.finish()
    }
    return Iterator(
      outcomes: outcomes.makeAsyncIterator(), work: DevelopWork(driver: driver, free: free))
  }

  private func outcome(of job: DevelopJob) async -> DevelopOutcome {
    do throws(DevelopError) {
      let reports = try await Developer.develop(job, workers: workers) { progress in
        updates?.yield(DevelopUpdate(id: job.id, progress: progress))
      }
      return DevelopOutcome(job: job, result: .success(reports))
    } catch {
      return DevelopOutcome(job: job, result: .failure(error))
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    var outcomes: AsyncStream<DevelopOutcome>.Iterator
    let work: DevelopWork

    mutating func next(isolation: isolated (any Actor)? = #isolation) async -> DevelopOutcome? {
      let driver = work.driver
      let outcome = await withTaskCancellationHandler {
        await outcomes.next(isolation: isolation)
      } onCancel: {
        driver.cancel()
      }
      if outcome != nil { work.free.yield() }
      return outcome
    }
  }
}

/// Owns the work of an iterator and cancels it when the iterator is released.
final class DevelopWork: Sendable {
  let driver: Task<Void, Never>
  let free: AsyncStream<Void>.Continuation

  init(driver: Task<Void, Never>, free: AsyncStream<Void>.Continuation) {
    (self.driver, self.free) = (driver, free)
  }

  deinit { driver.cancel() }
}
