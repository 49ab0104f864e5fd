import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct WatchListTests {
  private struct Clock {
    var now = ContinuousClock.now
    mutating func go(_ seconds: Double) -> ContinuousClock.Instant {
      now += .seconds(seconds)
      return now
    }
  }

  private func list(_ folder: TestFolder, _ inputs: [FilePath] = ["in"], settle: Double = 5)
    -> WatchList
  {
    WatchList(
      inputs, workingFolder: folder.root, except: folder.at("in/out"), isFlat: false,
      settleSeconds: settle)
  }

  @Test func filesAreCompleteAfterTheSettlingTime() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    var (list, clock) = (list(folder), Clock())
    #expect(try list.round(now: clock.go(0)) == nil)
    #expect(try list.round(now: clock.go(4.9)) == nil)
    #expect(try list.round(now: clock.go(0.2))?.map(\.id) == ["a.dng"])
    // No round without change.
    for _ in 0..<3 { #expect(try list.round(now: clock.go(10)) == nil) }
  }

  /// A round that did not work is due again.
  @Test func whatIsForgottenIsListedAgain() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    var (list, clock) = (list(folder), Clock())
    _ = try list.round(now: clock.go(0))
    #expect(try list.round(now: clock.go(6))?.map(\.id) == ["a.dng"])
    list.forget()
    #expect(try list.round(now: clock.go(1))?.map(\.id) == ["a.dng"])
    #expect(try list.round(now: clock.go(1)) == nil && list.failures.isEmpty)
  }

  @Test func growingFilesAreNotListed() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    try folder.write("1", to: "in/b.dng")
    var (list, clock) = (list(folder), Clock())
    _ = try list.round(now: clock.go(0))
    for length in 2..<6 {
      try folder.write(String(repeating: "1", count: length), to: "in/b.dng")
      let round = try list.round(now: clock.go(4))?.map(\.id)
      #expect(round == (length == 3 ? ["a.dng"] : nil))
    }
    // The same length, another time.
    TestFolder.date(folder.at("in/b.dng"), nanoseconds: 1_600_000_000_000_000_000)
    #expect(try list.round(now: clock.go(4)) == nil)
    #expect(try list.round(now: clock.go(6))?.map(\.id) == ["a.dng", "b.dng"])
  }

  @Test(arguments: [
    "in/a.dng.rawdev.yaml", "in/a.xmp", "in/.rawdev/defaults.yaml", "in/sub/.rawdev/defaults.json",
  ])
  func sidecarsStartARound(name: String) throws {
    for inputs: [FilePath] in [["in"], ["in/a.dng", "in/sub/b.dng"]] {
      let folder = try TestFolder()
      try folder.write("1", to: "in/a.dng")
      try folder.write("1", to: "in/sub/b.dng")
      var (list, clock) = (list(folder, inputs, settle: 1), Clock())
      _ = try list.round(now: clock.go(0))
      #expect(try list.round(now: clock.go(2))?.count == 2)
      for text in ["raw: {exposure: 1}", "raw: {exposure: 10}"] {
        try folder.write(text, to: name)
        #expect(try list.round(now: clock.go(0.1)) == nil)
        #expect(try list.round(now: clock.go(2))?.count == 2, "\(inputs)")
        #expect(try list.round(now: clock.go(2)) == nil)
      }
      try folder.remove(name)
      #expect(try list.round(now: clock.go(0.1))?.count == 2)
      #expect(try list.round(now: clock.go(2)) == nil)
    }
  }

  @Test func defaultsAboveTheFolderStartARound() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    var (list, clock) = (list(folder, settle: 1), Clock())
    _ = try list.round(now: clock.go(0))
    _ = try list.round(now: clock.go(2))
    try folder.write("raw: {exposure: 1}", to: ".rawdev/defaults.yaml")
    _ = try list.round(now: clock.go(2))
    #expect(try list.round(now: clock.go(2))?.count == 1)
  }

  @Test func outputsStartNoRound() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    var (list, clock) = (list(folder, settle: 1), Clock())
    _ = try list.round(now: clock.go(0))
    _ = try list.round(now: clock.go(2))
    for name in [
      "in/out/a.jpg", "in/out/x.dng", "in/out/.rawdev/journal-all@m.jsonl", "in/a.jpg",
      "in/.a.part",
    ] {
      try folder.write("1", to: name)
    }
    #expect(try list.round(now: clock.go(2)) == nil)
    #expect(try list.round(now: clock.go(2)) == nil)
  }

  @Test func addedAndRemovedFiles() throws {
    let folder = try TestFolder()
    try Folders.create(folder.at("in"))
    var (list, clock) = (list(folder, settle: 1), Clock())
    #expect(try list.round(now: clock.go(2)) == nil)
    try folder.write("1", to: "in/a.dng")
    _ = try list.round(now: clock.go(1))
    #expect(try list.round(now: clock.go(2))?.map(\.id) == ["a.dng"])
    try folder.write("1", to: "in/b.dng")
    _ = try list.round(now: clock.go(1))
    #expect(try list.round(now: clock.go(2))?.map(\.id) == ["a.dng", "b.dng"])
    try folder.remove("in/a.dng")
    #expect(try list.round(now: clock.go(2))?.map(\.id) == ["b.dng"])
    #expect(try list.round(now: clock.go(2)) == nil)
  }

  @Test(arguments: [0, -1, .nan, 1e300, .infinity]) func extremeSettlingTimes(seconds: Double)
    throws
  {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    var (list, clock) = (list(folder, settle: seconds), Clock())
    let round = try list.round(now: clock.go(0))
    #expect((round?.count == 1) == (seconds <= 0 || seconds.isNaN))
  }
}
