import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Sources that crash, hang or exhaust memory: each fails alone.
@Suite struct WorkerFailureTests {
  @Test func aCrashFailsOneFile() throws {
    let fixture = try BatchFixture(
      "a.dng", "b.dng", "c.dng", "crash.dng", "early-crash.dng", "quit.dng", "z.dng")
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng", "b.dng", "c.dng", "z.dng"])
    #expect(run.end.crashes == 3 && run.end.exitCode == 3)
    let error = try #require(run.items["crash.dng"]?.error)
    #expect(error.code == "crashed" && error.message.contains("signal 11"))
    #expect(error.message.hasSuffix("bad block 7"))
    #expect(run.items["quit.dng"]?.error?.message.contains("exit status 3") ?? false)
    #expect(try fixture.folder.names("out") == ["a.jpg", "b.jpg", "c.jpg", "z.jpg"])
    // Tried again by the next run, as a new engine may do better.
    #expect(try fixture.run().end.crashes == 3)
  }

  @Test func failuresNameTheLastLineOfStderr() throws {
    let fixture = try BatchFixture("noisy.dng", "z.dng")
    let run = try fixture.run()
    #expect(run.items["noisy.dng"]?.error?.message.hasSuffix("the last word") ?? false)
    #expect(run.ids(.done) == ["z.dng"])
  }

  @Test func nonsenseOfAWorkerIsNoSuccess() throws {
    let bad = ["digests.dng", "hasty.dng", "less.dng", "twice.dng"]
    let fixture = try BatchFixture("a.dng", "z.dng")
    for name in bad { try fixture.add(name) }
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng", "z.dng"] && run.ids(.failed) == bad)
    #expect(bad.allSatisfy { run.items[$0]?.error?.code == "crashed" })
    #expect(run.end.crashes == 4 && run.end.exitCode == 3)
    #expect(try fixture.folder.names("out") == ["a.jpg", "z.jpg"])
  }

  @Test func stagedFilesOfACrashAreRemoved() throws {
    let fixture = try BatchFixture(
      "partial.dng", "sub/partial.dng", "less.dng", "lie.dng", "z.dng")
    let run = try fixture.run()
    #expect(run.ids(.failed) == ["less.dng", "lie.dng", "partial.dng", "sub/partial.dng"])
    #expect(run.ids(.done) == ["z.dng"] && run.end.exitCode == 3)
    #expect(try fixture.folder.names("out") == ["z.jpg"])
  }

  @Test func hangingFilesTimeOut() throws {
    let fixture = try BatchFixture("a.dng", "deaf.dng", "hang.dng", "z.dng")
    let (clock, developed) = (TestClock(), DispatchSemaphore(value: 0))
    fixture.meanwhile {
      // The time of both that hang passes when all others are done.
      defer { clock.run() }
      try fixture.worker.wait(for: "open deaf.dng")
      try fixture.worker.wait(for: "develop hang.dng")
      for _ in 0..<2 {
        try #require(developed.wait(timeout: .now() + 300) == .success, "not all were developed")
      }
    }
    let run = try fixture.run {
      ($0.timeoutSeconds, $0.jobs) = (1, 4)
      $0.now = { clock.now }
    } on: {
      if case .item(let item) = $0, item.status == .done { developed.signal() }
    }
    #expect(run.ids(.done) == ["a.dng", "z.dng"] && run.end.timeouts == 2)
    for id in ["deaf.dng", "hang.dng"] {
      let error = run.items[id]?.error
      #expect(error?.code == "timeout" && error?.message.contains("1 s") ?? false)
    }
    #expect(try fixture.folder.names("out") == ["a.jpg", "z.jpg"])
  }

  @Test func killedFilesAreRetriedAlone() throws {
    let fixture = try BatchFixture("a.dng", "killed.dng", "once.dng", "z.dng")
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng", "once.dng", "z.dng"] && run.end.crashes == 1)
    #expect(run.items["killed.dng"]?.error?.message.contains("signal 9") ?? false)
    #expect(fixture.worker.developed.filter { $0 == "killed.dng" }.count == 2)
    #expect(fixture.worker.developed.filter { $0 == "once.dng" }.count == 2)
  }

  @Test func filesOverTheMemoryLimitAreRetriedAloneAndFail() throws {
    let fixture = try BatchFixture("a.dng", "hog.dng", "z.dng")
    let run = try fixture.run {
      // This process would count as well, and other tests run in it.
      $0.memoryBytes = 256 << 20
      $0.ownMemoryBytes = { 0 }
      $0.timeoutSeconds = 1e6
    }
    #expect(run.ids(.done) == ["a.dng", "z.dng"])
    let error = run.items["hog.dng"]?.error
    #expect(error?.code == "tooLarge" && error?.message.contains("allow more memory") ?? false)
    #expect(fixture.worker.developed.filter { $0 == "hog.dng" }.count == 2)
    #expect(run.end.crashes == 0 && run.end.timeouts == 0)
  }

  @Test func memoryOfThisProcessCounts() throws {
    let fixture = try BatchFixture("hang.dng")
    let run = try fixture.run {
      $0.memoryBytes = 256 << 20
      $0.ownMemoryBytes = { 257 << 20 }
      $0.timeoutSeconds = 1e6
    }
    #expect(run.items["hang.dng"]?.error?.code == "tooLarge")
  }

  @Test func aCancellationLeavesTheRestForTheNextRun() throws {
    let fixture = try BatchFixture("a.dng", "hang.dng", "x.dng", "y.dng", "z.dng")
    let cancellation = CancellationToken()
    let run = try fixture.run(
      cancellation: cancellation, { ($0.jobs, $0.graceSeconds) = (1, 0.2) },
      on: {
        guard case .item(let item) = $0, item.id == "a.dng" else { return }
        cancellation.cancel()
      })
    #expect(run.ids(.done) == ["a.dng"] && run.end.interrupted == 4 && run.end.exitCode == 75)
    #expect(try fixture.folder.names("out") == ["a.jpg"])
    try fixture.folder.remove("raws/hang.dng")
    let rest = try fixture.run()
    #expect(rest.ids(.skipped) == ["a.dng"] && rest.ids(.done) == ["x.dng", "y.dng", "z.dng"])
  }

  @Test func aCancellationEndsRunningFilesAfterTheGracePeriod() throws {
    let fixture = try BatchFixture("hang.dng", "slow.dng", "z.dng")
    let cancellation = CancellationToken()
    let clock = TestClock()
    try fixture.worker.hold("slow.dng")
    fixture.meanwhile {
      defer {
        cancellation.cancel()
        // Within the grace period, as the clock stops.
        fixture.worker.release("slow.dng")
      }
      try fixture.worker.wait(for: "develop hang.dng")
      try fixture.worker.wait(for: "begin slow.dng")
    }
    let run = try fixture.run(cancellation: cancellation) {
      ($0.jobs, $0.graceSeconds) = (2, 1.5)
      $0.now = { clock.now }
    } on: {
      if case .item(let item) = $0, item.id == "slow.dng" { clock.run() }
    }
    #expect(run.end.outcome == .interrupted && run.ids(.interrupted).contains("hang.dng"))
    #expect(run.ids(.done) == ["slow.dng"])
    #expect(run.items["hang.dng"]?.node == nil && run.end.crashes == 0)
    let staged = try fixture.folder.names("out").filter { $0.contains(".rawdev-") }
    #expect(staged.isEmpty)
  }

  @Test func aCancellationBeforeTheStartDevelopsNothing() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    let cancellation = CancellationToken()
    for _ in 0..<100_000 { cancellation.cancel() }
    let run = try fixture.run(cancellation: cancellation)
    #expect(run.end.interrupted == 2 && run.end.exitCode == 75 && fixture.worker.log.isEmpty)
  }

  @Test func workersThatCannotStartEndTheBatch() throws {
    let fixture = try BatchFixture("a.dng", "b.dng", "c.dng", "d.dng", "e.dng", "f.dng")
    let missing = #expect(throws: BatchError.self) {
      try fixture.run { $0.worker = ["/nowhere/rawdev", "worker"] }
    }
    #expect(missing?.message.contains("/nowhere/rawdev") ?? false)
    // A worker that exits at start is not blamed on the files.
    try fixture.folder.write("", to: "desk/die")
    let dying = #expect(throws: BatchError.self) { try fixture.run() }
    #expect(dying?.message.contains("cannot load libraw.so") ?? false)
    try fixture.folder.remove("desk/die")
    #expect(try fixture.run().end.done == 6)
  }
}
