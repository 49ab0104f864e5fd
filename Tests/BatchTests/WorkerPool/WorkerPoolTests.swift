import Develop
import Foundation
import ImageCore
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Running workers, without a batch.
@Suite struct WorkerPoolTests {
  /// Supplies sources by name and develops each, reserving as many bytes as it has pixels. Sources
  /// that are held are released one by one, each time when no other can begin: so the maximum
  /// number that the pool allows runs in parallel, for any duration of the steps.
  private final class RecordingDelegate: WorkerPoolDelegate {
    let folder: TestFolder
    let worker: FakeWorker
    let clock = TestClock()
    var names: [String]
    var requests: [Int: WorkerRequest] = [:]
    private(set) var replies: [String: WorkerReply] = [:]
    private(set) var failures: [String: WorkerFailure] = [:]
    private(set) var fractions: [String: Double] = [:]
    var onTick: () -> Void = {}
    /// Called before a held source is released.
    var onRelease: () -> Void = {}
    /// Called with the name of each source whose task ends by a reply, before anything is done.
    var onReply: (String) throws -> Void = { _ in }
    /// Whether a task may begin, by its index.
    var mayBegin: (Int) throws -> Bool = { _ in true }
    /// Whether sources are opened after a digest.
    var reopens = false
    private weak var pool: WorkerPool?
    private var jobs = 0
    private var last = -1
    private var held: Set<String> = []
    private var released: Set<String> = []
    /// Tasks in progress, and those with a develop request.
    private var current: Set<Int> = []
    private var asked: Set<Int> = []
    private var changes = 0
    private var changesBefore = -1
    private let deadline = ContinuousClock.now + .seconds(300)
    private var isOverdue = false
    private var cancellation = CancellationToken()

    init(_ names: [String]) throws {
      (folder, self.names) = (try TestFolder(), names)
      worker = try FakeWorker(in: folder.root)
      for name in names { try folder.write(name, to: name) }
    }

    /// Runs all tasks; sources whose names begin with one of `holding` are held.
    func run(
      jobs: Int = 2, memory: Int = 1 << 50, timeout: Double = 1e6, idle: Double = 1e6,
      command: [String]? = nil, holding: [String] = [],
      cancellation: CancellationToken = CancellationToken(),
      _ use: (WorkerPool) -> Void = { _ in }
    ) throws -> WorkerPool {
      // What tests do on a tick usually holds this delegate.
      defer {
        (onTick, onRelease) = ({}, {})
        (onReply, mayBegin) = ({ _ in }, { _ in true })
      }
      held = Set(names.filter { name in holding.contains { name.hasPrefix($0) } })
      for name in held { try worker.hold(name) }
      let pool = WorkerPool(
        WorkerPool.Settings(
          command: command ?? worker.command, jobs: jobs, memoryBytes: memory,
          timeoutSeconds: timeout, graceSeconds: 0.2, idleSeconds: idle,
          now: { [clock] in clock.now },
          ownMemoryBytes: { 0 }), delegate: self, cancellation: cancellation)
      (self.pool, self.jobs, self.cancellation) = (pool, jobs, cancellation)
      pool.listeners[worker.events] = { [worker] in _ = worker.happened() }
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
      worker.happened().filter { $0.hasPrefix("begin ") }.map { String($0.dropFirst(6)) }
    }

    private func name(_ task: WorkerTask) -> String { all[task.id] }
    private lazy var all = names

    var isFinished: Bool { last + 1 >= all.count }
    func next() -> WorkerTask? {
      guard last + 1 < all.count, (try? mayBegin(last + 1)) ?? true else { return nil }
      last += 1
      changes += 1
      current.insert(last)
      return WorkerTask(id: last, first: requests[last] ?? .open(path: folder.at(all[last]).text))
    }
    func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
      changes += 1
      if case .opened(let info) = reply {
        let order = WorkerOrder(
          recipe: .init(), staged: ["main": folder.at(".\(task.id).part").text], threads: 1)
        asked.insert(task.id)
        return .send(.develop(order), bytes: info.pixels)
      }
      if reopens, case .digests = reply {
        return .send(.open(path: folder.at(name(task)).text), bytes: 0)
      }
      do { try onReply(name(task)) } catch { Issue.record(error) }
      end(task)
      #expect(replies.updateValue(reply, forKey: name(task)) == nil)
      return .finish
    }
    func progressed(_ fraction: Double, of task: WorkerTask) { fractions[name(task)] = fraction }
    func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) {
      changes += 1
      end(task)
      #expect(
        failures.updateValue(failure, forKey: name(task)) == nil && replies[name(task)] == nil)
    }
    private func end(_ task: WorkerTask) {
      current.remove(task.id)
      asked.remove(task.id)
    }
    func tick() {
      onTick()
      if !isOverdue, ContinuousClock.now > deadline {
        isOverdue = true
        Issue.record("the pool stands still after \(worker.happened())")
        cancellation.cancel()
        clock.run()
      }
      if !held.isEmpty, isSettled { releaseOne() }
      changesBefore = changes
    }

    /// Whether all possible tasks are blocked: every worker is busy, every task has been asked to
    /// develop and either waits for memory or has stopped in the middle.
    private var isSettled: Bool {
      guard let pool, changes == changesBefore, current == asked else { return false }
      let stopped = begun.filter { !released.contains($0) }.count
      return (current.count == jobs || isFinished) && stopped == asked.count - pool.waitingForMemory
    }

    /// Lets the source go that began first, and a slow one only when it is the only one.
    private func releaseOne() {
      let stopped = begun.filter { !released.contains($0) }
      guard let name = stopped.first(where: { !$0.hasPrefix("slow") }) ?? stopped.first else {
        return
      }
      onRelease()
      released.insert(name)
      worker.release(name)
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
    _ = try delegate.run(jobs: 4, memory: 10 * unit, holding: ["busy"])
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    let maxBytes = delegate.together.map { $0.reduce(0) { $0 + Self.bytes($1) } }.max() ?? 0
    #expect(maxBytes <= 10 * unit && maxBytes >= 6 * unit)
    #expect(delegate.together.last == [])
  }

  /// Big ones that fit only one by one use all cores, small ones an equal number each.
  @Test(arguments: [(10, Machine.cores), (0, 1)])
  func threadsFollowTheMemoryLimit(_ units: Int, _ threads: Int) throws {
    let names = (0..<Machine.cores + 2).map { "busy\($0)-px\(units << 40)" }
    let delegate = try RecordingDelegate(names)
    _ = try delegate.run(jobs: Machine.cores, memory: 16 << 40)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    let given = delegate.worker.log.filter { $0.hasPrefix("threads ") }
    #expect(given.count == names.count)
    #expect(given.first?.hasPrefix("threads \(threads) ") ?? false)
  }

  @Test func aTaskOverTheMemoryLimitRunsAlone() throws {
    let delegate = try RecordingDelegate([
      "busy1-px10", "busy2-px\(Int.max / 2)", "busy3-px10", "busy4-px\(Int.max)",
    ])
    _ = try delegate.run(jobs: 4, memory: 1 << 50, holding: ["busy"])
    #expect(delegate.isComplete && delegate.failures.isEmpty)
    for names in delegate.together where names.contains(where: { Self.bytes($0) > 10 }) {
      #expect(names.count == 1)
    }
  }

  @Test func smallTasksDoNotOvertakeABigOneForever() throws {
    // While the slow one runs there is room for one small one after the other, but not for the big
    // one.
    let delegate = try RecordingDelegate(
      ["slow-px5", "busy-big-px10"].map { $0 + "0000000000000" }
        + (0..<8).map { "busy\($0)-px50000000000000" })
    _ = try delegate.run(
      jobs: 3, memory: 100_000_000_000_000, holding: ["slow", "busy"])
    #expect(delegate.isComplete && delegate.begun.prefix(3).contains { $0.hasPrefix("busy-big") })
  }

  @Test func noMoreAtATimeThanJobs() throws {
    for jobs in [1, 3] {
      let delegate = try RecordingDelegate((0..<6).map { "busy\($0).dng" })
      _ = try delegate.run(jobs: jobs, holding: ["busy"])
      #expect(delegate.isComplete && delegate.together.map(\.count).max() == jobs)
    }
  }

  @Test func waitingForMemoryDoesNotCountAsTime() throws {
    // One after the other, a second each: the last one waits three.
    let delegate = try RecordingDelegate((0..<4).map { "busy\($0)-px60000000000000" })
    delegate.onRelease = { [clock = delegate.clock] in clock.advance(seconds: 1) }
    let pool = try delegate.run(
      jobs: 4, memory: 100_000_000_000_000, timeout: 1.8, holding: ["busy"])
    #expect(delegate.failures.isEmpty && delegate.replies.count == 4 && pool.timeouts == 0)
  }

  @Test func tasksTimeOut() throws {
    let delegate = try RecordingDelegate(["a", "hang"])
    delegate.onTick = {
      guard delegate.replies.count == 1, delegate.worker.happened().contains("develop hang")
      else { return }
      delegate.clock.run()
    }
    let pool = try delegate.run(timeout: 30)
    #expect(delegate.isComplete && delegate.failures == ["hang": .timeout] && pool.timeouts == 1)
  }

  @Test func crashedWorkersAreReplaced() throws {
    let delegate = try RecordingDelegate([
      "crash1", "a", "crash2", "b", "crash3", "last1", "c", "d",
    ])
    let pool = try delegate.run(jobs: 2)
    #expect(delegate.isComplete && pool.crashes == 3)
    #expect(delegate.failures.keys.sorted() == ["crash1", "crash2", "crash3"])
    #expect(delegate.failures["crash1"] == .crash(.signal(SIGSEGV), lastStderrLine: "bad block 7"))
  }

  @Test func damageByOneFileCostsNoOther() throws {
    let delegate = try RecordingDelegate(["poison", "a", "b", "crash"])
    let pool = try delegate.run(jobs: 1)
    #expect(delegate.isComplete && pool.crashes == 1)
    #expect(delegate.failures.keys.sorted() == ["crash"])
    // By the worker that was damaged, and by one that was new.
    #expect(delegate.worker.developed == ["a", "a", "b", "crash", "crash", "poison"])
  }

  @Test func outputsThatCannotBeCreatedFailTheirTask() throws {
    let delegate = try RecordingDelegate(["a", "b"])
    try Folders.create(delegate.folder.at(".0.part"))
    _ = try delegate.run(jobs: 1)
    guard case .failed(let failure)? = delegate.replies["a"],
      case .developed? = delegate.replies["b"]
    else {
      Issue.record("\(delegate.replies)")
      return
    }
    #expect(failure.code == "cannotWrite" && failure.message.contains("create"))
    #expect(delegate.worker.developed == ["b"])
  }

  /// Of the wrong kind, too early, duplicate, and incomplete.
  @Test func repliesToNoRequestFailTheirTask() throws {
    let delegate = try RecordingDelegate(["digests", "a", "hasty", "twice", "less", "b"])
    let pool = try delegate.run()
    #expect(delegate.isComplete && pool.crashes == 4)
    #expect(delegate.failures.keys.sorted() == ["digests", "hasty", "less", "twice"])
    #expect(delegate.failures.values.allSatisfy { $0 == .nonsense })
  }

  @Test func aTaskDoesNotWaitForItsOwnMemory() throws {
    let delegate = try RecordingDelegate(["a-px\(2 << 40)"])
    delegate.reopens = true
    delegate.requests[0] = .digest(paths: [delegate.folder.at(delegate.names[0]).text])
    _ = try delegate.run(jobs: 4, memory: 1 << 40)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
  }

  @Test func whatWasSaidInTimeCounts() throws {
    let delegate = try RecordingDelegate(["a", "reported"])
    for name in delegate.names { try delegate.worker.hold(name) }
    delegate.onTick = { if delegate.begun.count == 2 { delegate.worker.release("a") } }
    delegate.onReply = { name in
      guard name == "a" else { return }
      // The time of the other passes while its reply waits to be read.
      delegate.worker.release("reported")
      try delegate.worker.wait(for: "reported reported")
      delegate.clock.advance(seconds: 100)
    }
    let pool = try delegate.run(timeout: 30)
    #expect(delegate.isComplete && delegate.failures.isEmpty && pool.timeouts == 0)
  }

  @Test func idleWorkersThatComputeAreEnded() throws {
    let delegate = try RecordingDelegate(["spin", "a"])
    delegate.mayBegin = { try $0 == 0 || Self.processes(of: delegate.worker).isEmpty }
    delegate.onTick = { delegate.clock.advance(seconds: 1) }
    _ = try delegate.run(jobs: 1, idle: 0.05)
    #expect(delegate.isComplete && delegate.failures.isEmpty)
  }

  @Test func workersThatCloseTheirOutputAreEnded() throws {
    let delegate = try RecordingDelegate(["shut", "a"])
    let pool = try delegate.run()
    #expect(delegate.isComplete && pool.crashes == 1)
    #expect(delegate.failures == ["shut": .crash(.signal(SIGKILL), lastStderrLine: nil)])
  }

  @Test func workersThatCannotStartAreAnError() throws {
    for command in [
      ["/nowhere/worker"], ["/bin/false"], ["/bin/true"], ["/bin/sh", "-c", "exit 7"],
    ] {
      let delegate = try RecordingDelegate((0..<20).map { "a\($0)" })
      let error = #expect(throws: BatchError.self) { _ = try delegate.run(command: command) }
      #expect(error?.message.contains(command[0]) ?? false)
      // Files that no worker opened are not reported.
      #expect(delegate.failures.isEmpty && delegate.replies.isEmpty)
    }
  }

  @Test func aClosedStderrDoesNotWakeThePool() throws {
    let delegate = try RecordingDelegate(["mute"])
    try delegate.worker.hold("mute")
    var quiet = 0
    let pool = try delegate.run(jobs: 1) { pool in
      var before = 0
      delegate.onTick = {
        guard delegate.begun == ["mute"] else { return }
        // Held until the pool has waited in vain three times; a pool that is woken over and over
        // never does.
        quiet += pool.wakeups == before ? 1 : 0
        before = pool.wakeups
        if quiet == 3 || pool.wakeups > 10_000 { delegate.worker.release("mute") }
      }
    }
    #expect(delegate.isComplete && quiet >= 3 && pool.wakeups < 100)
  }

  @Test func requestsLongerThanAPipeAreRead() throws {
    let delegate = try RecordingDelegate(["a", "b"])
    delegate.requests[0] = .digest(paths: [
      String(repeating: "x", count: 150_000), delegate.folder.at("b").text,
    ])
    _ = try delegate.run(jobs: 1)
    guard case .digests(let digests)? = delegate.replies["a"] else {
      Issue.record("no digests")
      return
    }
    #expect(digests.count == 2 && digests.last?.xxh128 == Digest.of("b"))
    #expect(delegate.isComplete)
  }

  @Test func progressIsReported() throws {
    let delegate = try RecordingDelegate(["share", "a"])
    _ = try delegate.run()
    #expect(delegate.fractions == ["share": 0.5])
  }

  @Test func aTaskCanBeCancelled() throws {
    let delegate = try RecordingDelegate(["hang", "a", "b"])
    _ = try delegate.run(jobs: 2) { pool in
      delegate.onTick = { if delegate.replies.count == 2 { pool.cancel(0) } }
    }
    #expect(delegate.isComplete && delegate.failures == ["hang": .cancelled])
  }

  @Test func aCancellationEndsHangingTasks() throws {
    let delegate = try RecordingDelegate(["hang1", "hang2", "a"])
    let cancellation = CancellationToken()
    delegate.onTick = {
      cancellation.cancel()
      delegate.clock.run()
    }
    _ = try delegate.run(jobs: 2, cancellation: cancellation)
    #expect(
      delegate.failures == ["hang1": .cancelled, "hang2": .cancelled] && delegate.replies.isEmpty)
  }

  @Test func noWorkerProcessRemains() throws {
    let delegate = try RecordingDelegate(["a", "crash", "b"])
    _ = try delegate.run(jobs: 3)
    #expect(try Self.processes(of: delegate.worker).isEmpty)
  }

  /// The processes that `worker` is at present.
  private static func processes(of worker: FakeWorker) throws -> [String] {
    let script = worker.command[1]
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      let command = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      return Int(name) != nil
        && command.map { String(decoding: $0, as: UTF8.self).contains(script) } ?? false
    }
  }
}
