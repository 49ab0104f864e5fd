import Foundation
import Recipes
import SystemPackage
import Testing

@testable import Batch

/// Workers at work, without a batch around them.
@Suite struct CrewTests {
  /// Hands out sources by name and develops each, reserving as many bytes as it has pixels.
  private final class Lead: CrewLead {
    let folder: TestFolder
    let worker: FakeWorker
    var names: [String]
    var requests: [Int: WorkerRequest] = [:]
    private(set) var replies: [String: WorkerReply] = [:]
    private(set) var losses: [String: CrewLoss] = [:]
    private(set) var ticks = 0
    private(set) var shares: [String: Double] = [:]
    var onTick: () -> Void = {}
    private var last = -1

    init(_ names: [String]) throws {
      (folder, self.names) = (try TestFolder(), names)
      worker = try FakeWorker(in: folder.path)
      for name in names { try folder.write(name, to: name) }
    }

    func run(
      jobs: Int = 2, memory: Int = 1 << 50, timeout: Double = 60, command: [String]? = nil,
      stop: BatchStop = BatchStop(), _ use: (Crew) -> Void = { _ in }
    ) throws(BatchError) -> Crew {
      let crew = Crew(
        Crew.Settings(
          command: command ?? worker.command, jobs: jobs, memoryBytes: memory,
          timeoutSeconds: timeout, graceSeconds: 0.2), lead: self, stop: stop)
      use(crew)
      try crew.run()
      return crew
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

    private func name(_ task: CrewTask) -> String { all[task.id] }
    private lazy var all = names

    var isFinished: Bool { last + 1 >= all.count }
    func next() -> CrewTask? {
      guard last + 1 < all.count else { return nil }
      last += 1
      return CrewTask(id: last, first: requests[last] ?? .open(path: folder.file(all[last]).text))
    }
    func answer(_ reply: WorkerReply, to task: CrewTask) -> CrewStep {
      if case .opened(let facts) = reply {
        let order = WorkerOrder(
          recipe: .init(), staged: ["main": folder.file(".\(task.id).part").text], threads: 1)
        return .ask(.develop(order), bytes: facts.pixels)
      }
      #expect(replies.updateValue(reply, forKey: name(task)) == nil)
      return .finish
    }
    func progressed(_ share: Double, of task: CrewTask) { shares[name(task)] = share }
    func lost(_ task: CrewTask, _ loss: CrewLoss) {
      #expect(losses.updateValue(loss, forKey: name(task)) == nil && replies[name(task)] == nil)
    }
    func tick() {
      ticks += 1
      onTick()
    }

    /// Whether each task has exactly one end.
    var isComplete: Bool { Set(replies.keys).union(losses.keys) == Set(all) }
  }

  private static func bytes(_ name: String) -> Int {
    Int(name.split(separator: "x").last ?? "") ?? 0
  }

  @Test func reservationsNeverExceedTheMemory() throws {
    let unit = 1 << 40
    let names = [6, 3, 6, 3, 3, 9, 2, 1, 6].enumerated().map {
      "busy\($0.offset)-px\($0.element * unit)"
    }
    let lead = try Lead(names)
    _ = try lead.run(jobs: 4, memory: 10 * unit)
    #expect(lead.isComplete && lead.losses.isEmpty)
    let most = lead.together.map { $0.reduce(0) { $0 + Self.bytes($1) } }.max() ?? 0
    #expect(most <= 10 * unit && most >= 6 * unit)
    #expect(lead.together.last == [])
  }

  /// Big ones that have room one by one only use all cores, small ones a share each.
  @Test(arguments: [(10, Machine.cores), (0, 1)])
  func coresGoToThoseThatHaveRoom(_ units: Int, _ threads: Int) throws {
    let names = (0..<Machine.cores + 2).map { "busy\($0)-px\(units << 40)" }
    let lead = try Lead(names)
    _ = try lead.run(jobs: Machine.cores, memory: 16 << 40)
    #expect(lead.isComplete && lead.losses.isEmpty)
    let given = lead.worker.log.filter { $0.hasPrefix("threads ") }
    #expect(given.count == names.count)
    #expect(given.first?.hasPrefix("threads \(threads) ") ?? false)
  }

  @Test func oneThatAloneExceedsTheMemoryRunsAlone() throws {
    let lead = try Lead([
      "busy1-px10", "busy2-px\(Int.max / 2)", "busy3-px10", "busy4-px\(Int.max)",
    ])
    _ = try lead.run(jobs: 4, memory: 1 << 50)
    #expect(lead.isComplete && lead.losses.isEmpty)
    for names in lead.together where names.contains(where: { Self.bytes($0) > 10 }) {
      #expect(names.count == 1)
    }
  }

  @Test func bigOnesAreNotPassedForEver() throws {
    // While the slow one runs there is room for one small one after the other, but not for the big one.
    let lead = try Lead(
      ["slow-px5", "busy-big-px10"].map { $0 + "0000000000000" }
        + (0..<8).map { "busy\($0)-px50000000000000" })
    _ = try lead.run(jobs: 3, memory: 100_000_000_000_000)
    #expect(lead.isComplete && lead.begun.prefix(3).contains { $0.hasPrefix("busy-big") })
  }

  @Test func noMoreAtATimeThanJobs() throws {
    for jobs in [1, 3] {
      let lead = try Lead((0..<6).map { "busy\($0).dng" })
      _ = try lead.run(jobs: jobs)
      #expect(lead.isComplete && lead.together.map(\.count).max() ?? 0 <= jobs)
    }
  }

  @Test func waitingForMemoryTakesNoTimeOfTheFile() throws {
    let lead = try Lead((0..<4).map { "slow\($0)-px60000000000000" })
    let crew = try lead.run(jobs: 4, memory: 100_000_000_000_000, timeout: 1.8)
    #expect(lead.losses.isEmpty && lead.replies.count == 4 && crew.timeouts == 0)
  }

  @Test func deathsAreReplaced() throws {
    let lead = try Lead(["crash1", "a", "crash2", "b", "crash3", "last1", "c", "d"])
    let crew = try lead.run(jobs: 2)
    #expect(lead.isComplete && crew.crashes == 3)
    #expect(lead.losses.keys.sorted() == ["crash1", "crash2", "crash3"])
    #expect(lead.losses["crash1"] == .crash(.signal(SIGSEGV), "bad block 7"))
  }

  @Test func workersThatNeverBeginEndTheWork() throws {
    for command in [
      ["/nowhere/worker"], ["/bin/false"], ["/bin/true"], ["/bin/sh", "-c", "exit 7"],
    ] {
      let lead = try Lead((0..<20).map { "a\($0)" })
      let error = #expect(throws: BatchError.self) { _ = try lead.run(command: command) }
      #expect(error?.message.contains(command[0]) ?? false)
      // Nothing is said of files that nobody looked at.
      #expect(lead.losses.isEmpty && lead.replies.isEmpty)
    }
  }

  @Test func aClosedComplaintPipeDoesNotWake() throws {
    let lead = try Lead(["mute"])
    _ = try lead.run(jobs: 1)
    // A few for its replies and the clock; without a wait it would be many thousands.
    #expect(lead.isComplete && lead.ticks < 200)
  }

  @Test func requestsLongerThanPipesArrive() throws {
    let lead = try Lead(["a", "b"])
    lead.requests[0] = .digest(paths: [
      String(repeating: "x", count: 150_000), lead.folder.file("b").text,
    ])
    _ = try lead.run(jobs: 1)
    guard case .digests(let digests)? = lead.replies["a"] else {
      Issue.record("no digests")
      return
    }
    #expect(digests.count == 2 && digests.last?.sha256 == Digest.of("b"))
    #expect(lead.isComplete)
  }

  @Test func progressIsTold() throws {
    let lead = try Lead(["share", "a"])
    _ = try lead.run()
    #expect(lead.shares == ["share": 0.5])
  }

  @Test func oneTaskCanBeCancelled() throws {
    let lead = try Lead(["hang", "a", "b"])
    _ = try lead.run(jobs: 2) { crew in
      lead.onTick = { if lead.replies.count == 2 { crew.cancel(0) } }
    }
    #expect(lead.isComplete && lead.losses == ["hang": .stopped])
  }

  @Test func aStopEndsEvenThoseThatHang() throws {
    let lead = try Lead(["hang1", "hang2", "a"])
    let stop = BatchStop()
    lead.onTick = { stop.request() }
    _ = try lead.run(jobs: 2, stop: stop)
    #expect(lead.losses == ["hang1": .stopped, "hang2": .stopped] && lead.replies.isEmpty)
  }

  @Test func noWorkerIsLeft() throws {
    let lead = try Lead(["a", "crash", "b"])
    _ = try lead.run(jobs: 3)
    let script = lead.worker.command[1]
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      let command = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      return Int(name) != nil
        && command.map { String(decoding: $0, as: UTF8.self).contains(script) } ?? false
    }
    #expect(left.isEmpty)
  }
}
