import Foundation
import SystemPackage
import Testing

@testable import Batch

/// Runs that were killed between any two steps, made by hand.
@Suite struct BatchResumeTests {
  /// The state after the line that a source is done and before its output is put in place.
  private func unplaced(_ studio: FakeStudio, _ name: String = "a") throws {
    let staged = try #require(
      try JournalHistory(in: studio.out).records.values.flatMap(\.outputs)
        .first { $0.path == "\(name).jpg" }?.staged)
    try FileManager.default.moveItem(
      atPath: studio.folder.file("out/\(name).jpg").string,
      toPath: studio.out.pushing(FilePath(staged)).string)
  }

  private func staged(_ path: FilePath) throws -> FilePath {
    try #require(OutputPlan(["main": path]).files["main"]).staged
  }

  @Test func whatWasStagedIsPutInPlace() throws {
    let studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    let status = FileStatus(studio.folder.file("out/a.jpg"))
    try unplaced(studio)
    #expect(try studio.folder.names("out").contains("b.jpg"))
    let run = try studio.run()
    #expect(run.end.skipped == 2 && studio.worker.log.isEmpty)
    #expect(FileStatus(studio.folder.file("out/a.jpg")) == status)
    #expect(try studio.folder.names("out") == ["a.jpg", "b.jpg"])
  }

  @Test func ofSeveralOutputsTheRestIsPutInPlace() throws {
    var studio = try FakeStudio("a.dng")
    studio.recipe = "outputs: {hdr: {format: heif-hlg}}"
    try studio.run()
    try unplaced(studio)
    #expect(try studio.run().end.skipped == 1)
    #expect(studio.worker.log.isEmpty)
    #expect(try studio.folder.names("out") == ["a.heic", "a.jpg"])
  }

  @Test func dryRunsPutNothingInPlace() throws {
    let studio = try FakeStudio("a.dng")
    try studio.run()
    try unplaced(studio)
    let before = try studio.folder.listing("out")
    let run = try studio.run { $0.isDryRun = true }
    #expect(run.end.skipped == 1)
    #expect(try studio.folder.listing("out") == before)
  }

  @Test func aSourceThatChangedSinceIsDoneAgain() throws {
    let studio = try FakeStudio("a.dng")
    try studio.run()
    let first = try #require(studio.output("a.jpg"))
    try studio.add("a.dng", "second light")
    try studio.run()
    // Killed before the second was put in place of the first; then the source changed once more.
    try unplaced(studio)
    try studio.folder.write(first, to: "out/a.jpg")
    TestFolder.date(studio.folder.file("out/a.jpg"), nanoseconds: 1_600_000_000_000_000_000)
    try studio.add("a.dng", "third light!")
    let run = try studio.run()
    #expect(run.ids(.done) == ["a.dng"] && studio.output("a.jpg") == "main of\nthird light!")
    #expect(try studio.folder.names("out") == ["a.jpg"])
  }

  @Test func whatOthersPutThereMeanwhileStays() throws {
    let studio = try FakeStudio("a.dng")
    try studio.run()
    try unplaced(studio)
    try studio.folder.write("mine", to: "out/a.jpg")
    let status = try #require(FileStatus(studio.folder.file("out/a.jpg")))
    TestFolder.date(studio.folder.file("out/a.jpg"), nanoseconds: status.changed + 1_000_000_000)
    let run = try studio.run()
    #expect(run.items["a.dng"]?.error?.code == "exists" && studio.output("a.jpg") == "mine")
    #expect(try studio.run { $0.overwrites = true }.end.done == 1)
    #expect(try studio.folder.names("out") == ["a.jpg"])
  }

  @Test func whatWasBegunOnlyIsThrownAway() throws {
    let studio = try FakeStudio("a.dng", "b/c.dng")
    try studio.run(try studio.sources.filter { $0.id == "a.dng" })
    let path = try staged("b/c.jpg")
    do {
      let journal = try Journal(in: studio.out, writer: studio.options.writer)
      let gone = try staged("gone.jpg")
      try journal.append(
        .begin(source: "/gone", staged: [gone.text, path.text]), isSynced: false)
      for half in [gone, path] {
        try TestFolder.write([1], to: studio.out.pushing(half))
        try TestFolder.write([1], to: studio.out.pushing(OutputPlan.unfinished(half)))
      }
    }
    let run = try studio.run()
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.done) == ["b/c.dng"])
    #expect(try studio.folder.names("out") == ["a.jpg", "b/c.jpg"])
    #expect(studio.output("b/c.jpg") == "main of\nlight of b/c.dng\n")
  }

  @Test func aLostJournalRefusesRatherThanReplaces() throws {
    let studio = try FakeStudio("a.dng")
    try studio.run()
    try studio.folder.remove("out/.rawdev")
    #expect(try studio.run().items["a.dng"]?.error?.code == "exists")
    #expect(try studio.run { $0.overwrites = true }.end.done == 1)
    #expect(try studio.run().end.skipped == 1)
  }

  @Test func aTornJournalCostsOneSourceAtMost() throws {
    let studio = try FakeStudio("a.dng", "b.dng")
    try studio.run { $0.jobs = 1 }
    let path = studio.out.appending(Journal.folder).appending(
      "journal-\(studio.options.writer).jsonl")
    let text = try #require(TestFolder.read(path))
    try TestFolder.write(Array(text.utf8.dropLast(9)), to: path)
    let run = try studio.run { $0.overwrites = true }
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.done) == ["b.dng"])
    #expect(try studio.run().end.skipped == 2)
  }
}
