import Foundation
import Recipes
import SystemPackage
import Testing

@testable import Batch

/// Workers at work, without a batch around them.
@Suite struct WorkerPoolTests {
  /// Hands out sources by name and develops each, reserving as many bytes as it has pixels.
  private final class RecordingDelegate: WorkerPoolDelegate {
    let folder: TestFolder
    let worker: FakeWorker
    var names: [String]
    var requests: [Int: WorkerRequest] = [:]
    private(set) var replies: [String: WorkerReply] = [:]
    private(set) var failures: [String: WorkerFailure] = [:]
    private(set) var ticks = 0
    private(set) var fractions: [String: Double] = [:]
    var onTick: () -> Void = {}
    private var last = -1

    init(_ names: [String]) throws {
      (folder, self.names) = (try TestFolder(), names)
      worker = try FakeWorker(in: folder.path)
      for name in names { try folder.write(name, to: name) }
    }

    func run(
      jobs: Int = 2, memory: Int = 1 << 50, timeout: Double = 60, command: [String]? = nil,
      cancellation: CancellationToken = CancellationToken(), _ use: (WorkerPool) -> Void = { _ in }
    ) throws(BatchError) -> WorkerPool {
      let pool = WorkerPool(
        WorkerPool.Settings(
          command: command ?? worker.command, jobs: jobs, memoryBytes: memory,
          timeoutSeconds: timeout, graceSeconds: 0.2), delegate: self, cancellation: cancellation)
      use(pool)
      try pool.run()
      return pool
    }

    /// The names that were developed at one time, at each moment.
    var together: [[String]] {
      var (active, found) = ([String](), [[String]]())
      for line in worker.log {
        if line.hasPrefix("begin ") { active.append(String(line.dropFirst(6))) }
        if line.hasPrefix("end ") { active.removeAll { $0 == String(line.dropFirst(4)) } }
        found.append(active)
      }
      return found
    }

    var begun: [String] {
      worker.log.filter { $0.hasPrefix("begin ") }.map { String($0.dropFirst(6)) }
    }

    private func name(_ task: WorkerTask) -> String { all[task.id] }
    private lazy var all = names

    var isFinished: Bool { last + 1 >= all.count }
    func next() -> WorkerTask? {
      guard last + 1 < all.count else { return nil }
      last += 1
      return WorkerTask(id: last, first: requests[last] ?? .open(path: folder.file(all[last]).text))
    }
    func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
      if case .opened(let facts) = reply {
        let order = WorkerOrder(
          recipe: .init(), staged: ["main": folder.file(".\(task.id).part").text], threads: 1)
        return .send(.develop(order), bytes: facts.pixels)
      }
      #expect(replies.updateValue(reply, forKey: name(task)) == nil)
      return .finish
    }
    func progressed(_ fraction: Double, of task: WorkerTask) { fractions[name(task)] = fraction }
    func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) {
      #expect(
        failures.updateValue(failure, forKey: name(task)) == nil && replies[name(task)] == nil)
    }
    func tick() {
      ticks += 1
      onTick()
    }

    /// Whether each task has exactly one end.
    var isComplete: Bool { Set(replies.keys).union(failures.keys) == Set(all) }
  }

  private static func bytes(_ name: String) -> Int {
    Int(name.split(separator: "x").last ?? "") ?? 0
  }

  @Test func reservationsNeverExceedTheMemory() throws {
    let unit = 1 << 40
    let names = [6, 3, 6, 3, 3, 9, 2, 1, 6].enumerated().map {
      "busy\($0.offset)-px\($0.element * unit)"
    }
    let delegate = try RecordingDelegate(names)
    _ = try delegate.run(jobs: 4, memory: 10 * unit)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    let maxBytes = delegate.together.map { $0.reduce(0) { $0 + Self.bytes($1) } }.max() ?? 0
    #expect(maxBytes <= 10 * unit && maxBytes >= 6 * unit)
    #expect(delegate.together.last == [])
  }

  /// Big ones that have room one by one only use all cores, small ones a share each.
  @Test(arguments: [(10, Machine.cores), (0, 1)])
  func coresGoToThoseThatHaveRoom(_ units: Int, _ threads: Int) throws {
    let names = (0..<Machine.cores + 2).map { "busy\($0)-px\(units << 40)" }
    let delegate = try RecordingDelegate(names)
    _ = try delegate.run(jobs: Machine.cores, memory: 16 << 40)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    let given = delegate.worker.log.filter { $0.hasPrefix("threads ") }
    #expect(given.count == names.count)
    #expect(given.first?.hasPrefix("threads \(threads) ") ?? false)
  }

  @Test func oneThatAloneExceedsTheMemoryRunsAlone() throws {
    let delegate = try RecordingDelegate([
      "busy1-px10", "busy2-px\(Int.max / 2)", "busy3-px10", "busy4-px\(Int.max)",
    ])
    _ = try delegate.run(jobs: 4, memory: 1 << 50)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    for names in delegate.together where names.contains(where: { Self.bytes($0) > 10 }) {
      #expect(names.count == 1)
    }
  }

  @Test func bigOnesAreNotPassedForEver() throws {
    // While the slow one runs there is room for one small one after the other, but not for the big one.
    let delegate = try RecordingDelegate(
      ["slow-px5", "busy-big-px10"].map { $0 + "0000000000000" }
        + (0..<8).map { "busy\($0)-px50000000000000" })
    _ = try delegate.run(jobs: 3, memory: 100_000_000_000_000)
    #expect(delegate.isComplete && delegate.begun.prefix(3).contains { $0.hasPrefix("busy-big") })
  }

  @Test func noMoreAtATimeThanJobs() throws {
    for jobs in [1, 3] {
      let delegate = try RecordingDelegate((0..<6).map { "busy\($0).dng" })
      _ = try delegate.run(jobs: jobs)
      #expect(delegate.isComplete && delegate.together.map(\.count).max() ?? 0 <= jobs)
    }
  }

  @Test func waitingForMemoryTakesNoTimeOfTheFile() throws {
    let delegate = try RecordingDelegate((0..<4).map { "slow\($0)-px60000000000000" })
    let pool = try delegate.run(jobs: 4, memory: 100_000_000_000_000, timeout: 1.8)
    #expect(delegate.failures.isEmpty && delegate.replies.count == 4 && pool.timeouts == 0)
  }

  @Test func deathsAreReplaced() throws {
    let delegate = try RecordingDelegate([
      "crash1", "a", "crash2", "b", "crash3", "last1", "c", "d",
    ])
    let pool = try delegate.run(jobs: 2)
    #expect(delegate.isComplete && pool.crashes == 3)
    #expect(delegate.failures.keys.sorted() == ["crash1", "crash2", "crash3"])
    #expect(delegate.failures["crash1"] == .crash(.signal(SIGSEGV), "bad block 7"))
  }

  @Test func workersThatNeverBeginEndTheWork() throws {
    for command in [
      ["/nowhere/worker"], ["/bin/false"], ["/bin/true"], ["/bin/sh", "-c", "exit 7"],
    ] {
      let delegate = try RecordingDelegate((0..<20).map { "a\($0)" })
      let error = #expect(throws: BatchError.self) { _ = try delegate.run(command: command) }
      #expect(error?.message.contains(command[0]) ?? false)
      // Nothing is said of files that nobody looked at.
      #expect(delegate.failures.isEmpty && delegate.replies.isEmpty)
    }
  }

  @Test func aClosedComplaintPipeDoesNotWake() throws {
    let delegate = try RecordingDelegate(["mute"])
    _ = try delegate.run(jobs: 1)
    // A few for its replies and the clock; without a wait it would be many thousands.
    #expect(delegate.isComplete && delegate.ticks < 200)
  }

  @Test func requestsLongerThanPipesArrive() throws {
    let delegate = try RecordingDelegate(["a", "b"])
    delegate.requests[0] = .digest(paths: [
      String(repeating: "x", count: 150_000), delegate.folder.file("b").text,
    ])
    _ = try delegate.run(jobs: 1)
    guard case .digests(let digests)? = delegate.replies["a"] else {
      Issue.record("no digests")
      return
    }
    #expect(digests.count == 2 && digests.last?.sha256 == Digest.of("b"))
    #expect(delegate.isComplete)
  }

  @Test func progressIsTold() throws {
    let delegate = try RecordingDelegate(["share", "a"])
    _ = try delegate.run()
    #expect(delegate.fractions == ["share": 0.5])
  }

  @Test func oneTaskCanBeCancelled() throws {
    let delegate = try RecordingDelegate(["hang", "a", "b"])
    _ = try delegate.run(jobs: 2) { pool in
      delegate.onTick = { if delegate.replies.count == 2 { pool.cancel(0) } }
    }
    #expect(delegate.isComplete && delegate.failures == ["hang": .cancelled])
  }

  @Test func aStopEndsEvenThoseThatHang() throws {
    let delegate = try RecordingDelegate(["hang1", "hang2", "a"])
    let cancellation = CancellationToken()
    delegate.onTick = { cancellation.cancel() }
    _ = try delegate.run(jobs: 2, cancellation: cancellation)
    #expect(
      delegate.failures == ["hang1": .cancelled, "hang2": .cancelled] && delegate.replies.isEmpty)
  }

  @Test func noWorkerIsLeft() throws {
    let delegate = try RecordingDelegate(["a", "crash", "b"])
    _ = try delegate.run(jobs: 3)
    let script = delegate.worker.command[1]
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      let command = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      return Int(name) != nil
        && command.map { String(decoding: $0, as: UTF8.self).contains(script) } ?? false
    }
    #expect(left.isEmpty)
  }
}
