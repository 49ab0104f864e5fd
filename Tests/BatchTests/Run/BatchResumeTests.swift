import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Runs that were killed between any two steps, constructed by hand.
@Suite struct BatchResumeTests {
  /// The state after the line that a source is done and before its output is renamed.
  private func unplaced(_ fixture: BatchFixture, _ name: String = "a") throws {
    let staged = try #require(
      try JournalHistory(in: fixture.out).records.values.flatMap(\.outputs)
        .first { $0.path == "\(name).jpg" }?.staged)
    try FileManager.default.moveItem(
      atPath: fixture.folder.at("out/\(name).jpg").string,
      toPath: fixture.out.pushing(FilePath(staged)).string)
  }

  private func staged(_ path: FilePath) throws -> FilePath {
    try #require(OutputPlan(["main": path]).files["main"]).staged
  }

  @Test func stagedOutputsAreRenamed() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    let status = FileStatus(fixture.folder.at("out/a.jpg"))
    try unplaced(fixture)
    #expect(try fixture.folder.names("out").contains("b.jpg"))
    let run = try fixture.run()
    #expect(run.end.skipped == 2 && fixture.worker.log.isEmpty)
    #expect(FileStatus(fixture.folder.at("out/a.jpg")) == status)
    #expect(try fixture.folder.names("out") == ["a.jpg", "b.jpg"])
  }

  @Test func remainingOutputsAreRenamed() throws {
    var fixture = try BatchFixture("a.dng")
    fixture.recipe = "outputs: {hdr: {format: heif-hlg}}"
    try fixture.run()
    try unplaced(fixture)
    #expect(try fixture.run().end.skipped == 1)
    #expect(fixture.worker.log.isEmpty)
    #expect(try fixture.folder.names("out") == ["a.heic", "a.jpg"])
  }

  @Test func dryRunsRenameNothing() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    try unplaced(fixture)
    let before = try fixture.folder.listing("out")
    let run = try fixture.run { $0.isDryRun = true }
    #expect(run.end.skipped == 1)
    #expect(try fixture.folder.listing("out") == before)
  }

  @Test func sourcesChangedAfterAKillAreDevelopedAgain() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    let first = try #require(fixture.output("a.jpg"))
    let time = try #require(FileStatus(fixture.folder.at("out/a.jpg"))).changed
    try fixture.add("a.dng", "second light")
    try fixture.run()
    // Killed before the second replaced the first; then the source changed once more.
    try unplaced(fixture)
    try fixture.folder.write(first, to: "out/a.jpg")
    TestFolder.date(fixture.folder.at("out/a.jpg"), nanoseconds: time)
    try fixture.add("a.dng", "third light!")
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng"] && fixture.output("a.jpg") == "main of\nthird light!")
    #expect(try fixture.folder.names("out") == ["a.jpg"])
  }

  @Test func filesOutsideTheFolderAreNotMoved() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    try unplaced(fixture)
    let journal = fixture.out.appending(Journal.folder).appending(
      "journal-\(fixture.options.writer).jsonl")
    let text = try #require(TestFolder.read(journal))
    let moved = text.replacingOccurrences(of: "\"path\":\"a.jpg\"", with: "\"path\":\"../a.jpg\"")
    #expect(moved != text)
    try TestFolder.write(Array(moved.utf8), to: journal)
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng"] && run.items["a.dng"]?.reason == "new")
    #expect(fixture.folder.read("a.jpg") == nil)
    #expect(fixture.output("a.jpg") == "main of\nlight of a.dng\n")
  }

  @Test func filesBehindLinksAreNotMoved() throws {
    let fixture = try BatchFixture("b/a.dng")
    try fixture.run()
    let output = try #require(
      try JournalHistory(in: fixture.out).records.values.flatMap(\.outputs).first)
    // The folder was moved, and its file has its staged name.
    let away = fixture.folder.at("away")
    try Folders.move(fixture.out.pushing("b"), to: away)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.at("out/b").string, withDestinationPath: "../away")
    let staged = try #require(FilePath(text: output.staged).lastComponent)
    try Folders.move(away.appending("a.jpg"), to: away.appending(staged))
    let run = try fixture.run()
    #expect(run.items["b/a.dng"]?.error?.code == "cannotWrite")
    #expect(try fixture.folder.names("away") == [staged.string])
  }

  @Test(arguments: [1_000_000_000, -100_000_000_000_000_000])
  func filesOfOthersAtTheFinalPathStay(nanosecondsLater: Int) throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    try unplaced(fixture)
    try fixture.folder.write("mine", to: "out/a.jpg")
    let status = try #require(FileStatus(fixture.folder.at("out/a.jpg")))
    TestFolder.date(fixture.folder.at("out/a.jpg"), nanoseconds: status.changed + nanosecondsLater)
    let run = try fixture.run()
    #expect(run.items["a.dng"]?.error?.code == "exists" && fixture.output("a.jpg") == "mine")
    #expect(try fixture.run { $0.overwrites = true }.end.done == 1)
    #expect(try fixture.folder.names("out") == ["a.jpg"])
  }

  @Test func stagedFilesWithoutALineAreRemoved() throws {
    let fixture = try BatchFixture("a.dng", "b/c.dng")
    try fixture.run(try fixture.sources.filter { $0.id == "a.dng" })
    let path = try staged("b/c.jpg")
    do {
      let journal = try Journal(in: fixture.out, writer: fixture.options.writer)
      let gone = try staged("gone.jpg")
      try journal.append(
        .begin(source: "/gone", staged: [gone.text, path.text]), isSynced: false)
      for half in [gone, path] {
        try TestFolder.write([1], to: fixture.out.pushing(half))
        try TestFolder.write([1], to: fixture.out.pushing(OutputPlan.unfinished(half)))
      }
    }
    let run = try fixture.run()
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.done) == ["b/c.dng"])
    #expect(try fixture.folder.names("out") == ["a.jpg", "b/c.jpg"])
    #expect(fixture.output("b/c.jpg") == "main of\nlight of b/c.dng\n")
  }

  @Test func withoutAJournalExistingOutputsAreRefused() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    try fixture.folder.remove("out/.rawdev")
    #expect(try fixture.run().items["a.dng"]?.error?.code == "exists")
    #expect(try fixture.run { $0.overwrites = true }.end.done == 1)
    #expect(try fixture.run().end.skipped == 1)
  }

  @Test func aTruncatedJournalAffectsOneSource() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run { $0.jobs = 1 }
    let path = fixture.out.appending(Journal.folder).appending(
      "journal-\(fixture.options.writer).jsonl")
    let text = try #require(TestFolder.read(path))
    try TestFolder.write(Array(text.utf8.dropLast(9)), to: path)
    let run = try fixture.run { $0.overwrites = true }
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.done) == ["b.dng"])
    #expect(try fixture.run().end.skipped == 2)
  }
}
