import Develop
import Foundation
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
        id: "\($0)", input: raw.path, output: raw.file("\($0).tif"), recipe: Self.tiff)
    }
  }

  @Test func filesAreThoseOfOneAfterTheOther() async throws {
    let raw = try SmallRaw()
    _ = try Developer(recipe: Self.tiff).develop(raw.path, to: raw.file("alone.tif"))
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

  @Test func aJobThatFailsCostsItself() async throws {
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

  /// Gives jobs and counts how many were taken.
  private struct CountedJobs: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = DevelopJob
    typealias Failure = Never
    let jobs: [DevelopJob]
    let taken: Counter
    func makeAsyncIterator() -> CountedJobs { self }
    func next(isolation: isolated (any Actor)? = #isolation) async -> DevelopJob? {
      taken.next(below: jobs.count).map { jobs[$0] }
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func next(below end: Int) -> Int? {
      count.withLock { count in
        guard count < end else { return nil }
        defer { count += 1 }
        return count
      }
    }
  }

  /// Never more jobs are begun than there are places for their outcomes.
  @Test func readingSlowlySlowsTheWork() async throws {
    let raw = try SmallRaw()
    let taken = Counter()
    let source = CountedJobs(jobs: jobs(raw, 8), taken: taken)
    var outcomes = Developer.outcomes(of: source, limit: 2).makeAsyncIterator()
    for read in 0..<8 {
      #expect(taken.value <= read + 2)
      // Time enough to begin more, if anything let it.
      try await Task.sleep(for: .milliseconds(40))
      #expect(taken.value <= read + 2)
      let outcome = await outcomes.next(isolation: nil)
      #expect(outcome != nil)
    }
    let end = await outcomes.next(isolation: nil)
    #expect(end == nil && taken.value == 8)
  }

  @Test func anEndOfReadingEndsTheWork() async throws {
    let raw = try SmallRaw()
    let taken = Counter()
    let source = CountedJobs(jobs: jobs(raw, 50), taken: taken)
    for await outcome in Developer.outcomes(of: source, limit: 2) {
      _ = try outcome.result.get()
      break
    }
    // What is under way is dropped; until then its staged file is there.
    for _ in 0..<30_000 where raw.names.contains(where: { $0.hasPrefix(".") }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(taken.value < 10)
    // Whole files or none.
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

  /// Cancelled in the middle: the rest is not rendered and nothing takes the place of the old file.
  @Test(arguments: OutputFormat.allCases) func cancelledHalfWayLeavesTheOldFile(
    format: OutputFormat
  ) throws {
    let raw = try SmallRaw()
    let output = raw.file("out")
    try Data("old".utf8).write(to: URL(fileURLWithPath: output))
    var recipe = Recipe()
    recipe.output.format = format
    var developer = Developer(recipe: recipe, workers: 1)
    let cancellation = DevelopCancellation()
    developer.cancellation = cancellation
    let error = #expect(throws: DevelopError.self) {
      try developer.develop(raw.path, to: output) { progress in
        if case .rendering(let share) = progress, share > 0 { cancellation.cancel() }
      }
    }
    #expect(error?.code == "cancelled")
    #expect(FileManager.default.contents(atPath: output) == Data("old".utf8))
    #expect(raw.names == ["out", "small.dng"])
  }

  @Test func progressRunsToTheEnd() async throws {
    let raw = try SmallRaw()
    var last: Double?
    for try await progress in Developer.progress(of: jobs(raw, 1)[0]) {
      guard case .rendering(let share) = progress else { continue }
      #expect(share >= last ?? 0)
      last = share
    }
    #expect(last == 1)
    let failing = Developer.progress(of: DevelopJob(input: "/nowhere.dng", output: "/x.heic"))
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
