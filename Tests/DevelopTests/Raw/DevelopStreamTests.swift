import Develop
import Foundation
import ImageCore
import Recipes
import Synchronization
import TestSupport
import Testing

@Suite struct DevelopStreamTests {
  private static let tiff: Recipe = {
    var recipe = Recipe()
    recipe.output.format = .tiff
    return recipe
  }()

  private func jobs(_ raw: SmallRaw, _ count: Int) -> [DevelopJob] {
    (0..<count).map {
      DevelopJob(
        id: "\($0)", input: raw.path, output: .replacing(raw.file("\($0).tif")), recipe: Self.tiff)
    }
  }

  @Test func filesEqualThoseOfSequentialWork() async throws {
    let raw = try SmallRaw()
    _ = try Developer(recipe: Self.tiff).develop(raw.path, to: .replacing(raw.file("alone.tif")))
    let wanted = try #require(FileManager.default.contents(atPath: raw.file("alone.tif")))
    var ids: [String] = []
    for await outcome in Developer.outcomes(of: jobs(raw, 6), limit: 3) {
      let report = try #require(try outcome.result.get().first)
      ids.append(outcome.job.id)
      let isSame = FileManager.default.contents(atPath: report.output) == wanted
      #expect(isSame, "\(report.output) differs")
    }
    #expect(ids.sorted() == (0..<6).map(String.init))
  }

  @Test func jobsOfOneRawAreTold() {
    let output = OutputDestination.replacing("/x.heic")
    #expect(DevelopJob(input: "a", output: output).id != DevelopJob(input: "a", output: output).id)
  }

  @Test func aFailedJobLeavesTheOthers() async throws {
    let raw = try SmallRaw()
    var all = jobs(raw, 3)
    all[1].input = raw.file("none.dng")
    var failures: [String] = []
    for await outcome in Developer.outcomes(of: all, limit: 1) {
      if case .failure(let error) = outcome.result { failures.append("\(outcome.job.id) \(error)") }
    }
    #expect(failures.count == 1 && failures[0].contains("none.dng"))
    #expect(raw.names == ["0.tif", "2.tif", "small.dng"])
  }

  /// A source of jobs that reports when each is taken, and its own end with the last copy of the
  /// sequence.
  private struct CountedJobs: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = DevelopJob
    typealias Failure = Never
    let jobs: [DevelopJob]
    let count: Count
    private let ending: Ending

    init(_ jobs: [DevelopJob], _ count: Count) {
      (self.jobs, self.count, ending) = (jobs, count, Ending(count))
    }

    func makeAsyncIterator() -> CountedJobs { self }
    func next(isolation: isolated (any Actor)? = #isolation) async -> DevelopJob? {
      count.take(below: jobs.count).map { jobs[$0] }
    }

    private final class Ending: Sendable {
      let count: Count
      init(_ count: Count) { self.count = count }
      deinit { count.end() }
    }
  }

  /// Number of jobs taken and of outcomes requested.
  private final class Count: Sendable {
    private struct State {
      var taken = 0
      var reads = 0
      /// Maximum number of jobs that were taken and not yet requested.
      var maxAhead = 0
      var isEnded = false
      var waiting:
        [(isReady: @Sendable (State) -> Bool, resume: CheckedContinuation<Void, Never>)] =
          []
    }
    private let state = Mutex(State())

    var taken: Int { state.withLock { $0.taken } }
    var maxAhead: Int { state.withLock { $0.maxAhead } }

    private func change(_ body: (inout State) -> Void) {
      let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        body(&state)
        let (now, waiting) = (state, state.waiting)
        state.waiting = waiting.filter { !$0.isReady(now) }
        return waiting.filter { $0.isReady(now) }.map(\.resume)
      }
      for continuation in ready { continuation.resume() }
    }

    /// The next index below `end`.
    func take(below end: Int) -> Int? {
      var index: Int?
      change { state in
        guard state.taken < end else { return }
        index = state.taken
        state.taken += 1
        state.maxAhead = max(state.maxAhead, state.taken - state.reads)
      }
      return index
    }

    /// Called before an outcome is requested.
    func read() { change { $0.reads += 1 } }
    func end() { change { $0.isEnded = true } }

    private func wait(_ isReady: @escaping @Sendable (State) -> Bool) async {
      await withCheckedContinuation { continuation in
        let isReadyNow = state.withLock { state in
          if isReady(state) { return true }
          state.waiting.append((isReady, continuation))
          return false
        }
        if isReadyNow { continuation.resume() }
      }
    }

    func waitUntil(taken count: Int) async { await wait { $0.taken >= count } }
    func waitForTheEnd() async { await wait { $0.isEnded } }
  }

  /// Never more jobs are in progress than the limit, and never fewer.
  @Test func aSlowReaderSlowsTheWork() async throws {
    let raw = try SmallRaw()
    let count = Count()
    let (updates, channel) = AsyncStream.makeStream(of: DevelopUpdate.self)
    var outcomes = Developer.outcomes(
      of: CountedJobs(jobs(raw, 8), count), limit: 2, updates: channel
    ).makeAsyncIterator()
    var rendered = updates.makeAsyncIterator()
    var whole: Set<String> = []
    for read in 0..<8 {
      await count.waitUntil(taken: min(read + 2, 8))
      // All jobs in progress are done, so that the next would begin if it could.
      while whole.count < min(read + 2, 8), let update = await rendered.next(isolation: nil) {
        if update.progress == .rendering(1) { whole.insert(update.id) }
      }
      for _ in 0..<1000 { await Task.yield() }
      #expect(count.taken == min(read + 2, 8))
      count.read()
      let outcome = await outcomes.next(isolation: nil)
      #expect(outcome != nil)
    }
    let end = await outcomes.next(isolation: nil)
    #expect(end == nil && count.taken == 8 && count.maxAhead <= 2)
  }

  @Test func anEndOfReadingEndsTheWork() async throws {
    let raw = try SmallRaw()
    let count = Count()
    for await outcome in Developer.outcomes(of: CountedJobs(jobs(raw, 50), count), limit: 2) {
      _ = try outcome.result.get()
      break
    }
    await count.waitForTheEnd()
    #expect(count.taken < 10)
    // Complete files or none.
    #expect(raw.names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func aCancelledTaskLeavesTheOldFile() async throws {
    let raw = try SmallRaw()
    let output = raw.file("0.tif")
    try Data("old".utf8).write(to: URL(fileURLWithPath: output))
    let job = jobs(raw, 1)[0]
    let task = Task { try await Developer.develop(job) }
    task.cancel()
    await #expect(throws: DevelopError.self) { try await task.value }
    #expect(FileManager.default.contents(atPath: output) == Data("old".utf8))
    #expect(raw.names == ["0.tif", "small.dng"])
  }

  /// Cancelled halfway: the rest is not rendered and the old file is not replaced.
  @Test(arguments: OutputFormat.allCases) func cancelledHalfWayLeavesTheOldFile(
    format: OutputFormat
  ) throws {
    let raw = try SmallRaw()
    let output = raw.file("out")
    try Data("old".utf8).write(to: URL(fileURLWithPath: output))
    var recipe = Recipe()
    recipe.output.format = format
    let developer = Developer(recipe: recipe, workers: 1)
    let cancellation = Cancellation()
    let error = #expect(throws: DevelopError.self) {
      try cancellation.run {
        try developer.develop(raw.path, to: .replacing(output)) { progress in
          if case .rendering(let fraction) = progress, fraction > 0 { cancellation.cancel() }
        }
      }
    }
    #expect(error?.codeName == "cancelled")
    #expect(FileManager.default.contents(atPath: output) == Data("old".utf8))
    #expect(raw.names == ["out", "small.dng"])
  }

  @Test func progressRunsToTheEnd() async throws {
    let raw = try SmallRaw()
    var last: Double?
    for try await progress in Developer.progress(of: jobs(raw, 1)[0]) {
      guard case .rendering(let fraction) = progress else { continue }
      #expect(fraction >= last ?? 0)
      last = fraction
    }
    #expect(last == 1)
    let failing = Developer.progress(
      of: DevelopJob(input: "/nowhere.dng", output: .replacing("/x.heic")))
    await #expect(throws: DevelopError.self) { for try await _ in failing {} }
  }

  @Test func updatesNameTheirJob() async throws {
    let raw = try SmallRaw()
    let (updates, channel) = AsyncStream.makeStream(of: DevelopUpdate.self)
    for await _ in Developer.outcomes(of: jobs(raw, 3), updates: channel) {}
    channel.finish()
    var seen: Set<String> = []
    for await update in updates { seen.insert(update.id) }
    #expect(seen == ["0", "1", "2"])
  }
}
