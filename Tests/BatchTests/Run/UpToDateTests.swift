import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Which sources are developed again.
@Suite struct UpToDateTests {
  private static let early = 1_600_000_000_000_000_000

  @Test func upToDateFilesAreNotOpened() throws {
    let fixture = try BatchFixture("a.dng", "b/c.dng")
    let first = try fixture.run()
    let before = try fixture.folder.listing("out")
    let second = try fixture.run()
    #expect(second.end.skipped == 2 && second.end.exitCode == 0)
    #expect(fixture.worker.log.isEmpty)
    let isSame =
      try fixture.folder.listing("out").filter { !$0.contains("/.rawdev") }
      == before.filter { !$0.contains("/.rawdev") }
    #expect(isSame)
    // Its report on them is the same as after development.
    let item = try #require(second.items["a.dng"])
    #expect(item.reason == "up to date" && item.outputs == first.items["a.dng"]?.outputs)
    #expect(item.xxh128 == first.items["a.dng"]?.xxh128)
  }

  @Test func changedSourcesAreDevelopedAgain() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    try fixture.add("a.dng", "other light")
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng"] && run.items["a.dng"]?.reason == "source changed")
    #expect(run.ids(.skipped) == ["b.dng"] && fixture.output("a.jpg") == "main of\nother light")
    #expect(try fixture.run().end.skipped == 2)
  }

  @Test func touchedSourcesAreReadOnce() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    TestFolder.date(fixture.folder.at("raws/a.dng"), nanoseconds: Self.early)
    let run = try fixture.run()
    #expect(run.end.skipped == 2 && run.items["a.dng"]?.reason == "content unchanged")
    #expect(fixture.worker.log == ["open a.dng"])
    // The new time is recorded.
    #expect(try fixture.run().end.skipped == 2)
    #expect(fixture.worker.log.isEmpty)
  }

  @Test func sourcesThatChangeDuringDevelopmentAreDevelopedAgain() throws {
    let fixture = try BatchFixture("edited.dng")
    #expect(try fixture.run().end.done == 1)
    // The worker adds to it each time.
    #expect(try fixture.run().items["edited.dng"]?.reason == "source changed")
  }

  @Test func otherRecipesAndEnginesDevelopEverythingAgain() throws {
    var fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    fixture.recipe = "raw: {exposure: 0.5}"
    var run = try fixture.run()
    #expect(run.end.done == 2 && run.items["a.dng"]?.reason == "recipe or engine changed")
    #expect(try fixture.run().end.skipped == 2)
    // Said in other words it is the same.
    fixture.recipe = "{description: brighter, raw: {exposure: 5.0e-1}}"
    #expect(try fixture.run().end.skipped == 2)
    run = try fixture.run { $0.engine = "2" }
    #expect(run.end.done == 2 && fixture.worker.developed == ["a.dng", "b.dng"])
  }

  @Test func aSidecarAffectsItsRawOnly() throws {
    let fixture = try BatchFixture("a.dng", "b.dng", "c.dng")
    try fixture.run()
    for text in ["raw: {exposure: 1}", "raw: {exposure: 2}"] {
      try fixture.folder.write(text, to: "raws/b.dng.rawdev.yaml")
      let run = try fixture.run()
      #expect(run.ids(.done) == ["b.dng"] && fixture.worker.developed == ["b.dng"])
      #expect(try fixture.run().end.skipped == 3)
    }
    // A comment changes nothing; without the sidecar it is as it was.
    try fixture.folder.write("# why\nraw: {exposure: 2}", to: "raws/b.dng.rawdev.yaml")
    #expect(try fixture.run().end.skipped == 3)
    try fixture.folder.remove("raws/b.dng.rawdev.yaml")
    #expect(try fixture.run().ids(.done) == ["b.dng"])
  }

  @Test func unreadableSidecarsFailTheirRaw() throws {
    let fixture = try BatchFixture("a.dng", "b.dng", "new.dng")
    try fixture.run(try fixture.sources.dropLast())
    for name in ["b", "new"] {
      try fixture.folder.write("raw: [", to: "raws/\(name).dng.rawdev.yaml")
    }
    let run = try fixture.run()
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.failed) == ["b.dng", "new.dng"])
    let message = run.items["b.dng"]?.error?.message ?? ""
    #expect(message.contains("b.dng.rawdev.yaml") && !message.contains("\n"))
    #expect(run.end.exitCode == 3 && fixture.output("b.jpg") != nil)
  }

  @Test func missingOutputsAreDevelopedAgain() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    try fixture.folder.remove("out/a.jpg")
    let run = try fixture.run()
    #expect(run.ids(.done) == ["a.dng"] && run.items["a.dng"]?.reason == "output missing: a.jpg")
  }

  @Test func changedOutputsAreRefused() throws {
    var fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    try fixture.folder.write("retouched", to: "out/a.jpg")
    let isRefused: (BatchFixture.Run) -> Void = { run in
      #expect(run.ids(.failed) == ["a.dng"] && run.items["a.dng"]?.error?.code == "exists")
      #expect(fixture.output("a.jpg") == "retouched")
    }
    isRefused(try fixture.run())
    // Independent of other changes.
    try fixture.add("a.dng", "other light")
    isRefused(try fixture.run())
    fixture.recipe = "raw: {exposure: 0.5}"
    isRefused(try fixture.run())
    let run = try fixture.run { $0.overwrites = true }
    #expect(run.ids(.done).contains("a.dng") && fixture.output("a.jpg") == "main of\nother light")
  }

  /// The folder of the raws has another name or is mounted elsewhere.
  @Test func aRenamedFolderIsUpToDate() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.run()
    try Folders.move(fixture.folder.at("raws"), to: fixture.folder.at("card"))
    let sources = try SourceList(["card"], workingFolder: fixture.folder.root).sources
    #expect(try fixture.run(sources).end.skipped == 2 && fixture.worker.developed.isEmpty)
    #expect(try fixture.run(sources).end.skipped == 2 && fixture.worker.log.isEmpty)
  }

  /// Outputs that were copied without their times are still the batch's own.
  @Test func copiedOutputsAreReplaced() throws {
    var fixture = try BatchFixture("a.dng")
    try fixture.run()
    TestFolder.date(fixture.folder.at("out/a.jpg"), nanoseconds: Self.early)
    #expect(try fixture.run().end.skipped == 1)
    fixture.recipe = "raw: {exposure: 0.5}"
    #expect(try fixture.run().ids(.done) == ["a.dng"])
  }

  @Test func aClockThatWentBackChangesNothing() throws {
    var fixture = try BatchFixture("a.dng")
    try fixture.run()
    // As written by a clock of 2033.
    let (path, late) = (fixture.folder.at("out/a.jpg"), 2_000_000_000_000_000_000)
    let time = try #require(FileStatus(path)).changed
    TestFolder.date(path, nanoseconds: late)
    let journal = fixture.out.appending(Journal.folder).appending(
      "journal-\(fixture.options.writer).jsonl")
    let text = try #require(TestFolder.read(journal))
    try TestFolder.write(
      Array(text.replacingOccurrences(of: "\(time)", with: "\(late)").utf8), to: journal)
    #expect(try fixture.run().end.skipped == 1)
    fixture.recipe = "raw: {exposure: 0.5}"
    #expect(try fixture.run().ids(.done) == ["a.dng"])
    #expect(try fixture.run().end.skipped == 1)
  }

  @Test func verifyingFindsAFlippedBit() throws {
    let fixture = try BatchFixture("a.dng", "b.dng", "c.dng")
    try fixture.run()
    let run = try fixture.run { $0.verifies = true }
    #expect(run.end.skipped == 3 && run.items["a.dng"]?.reason == "verified")
    #expect(fixture.worker.log == ["digest", "digest", "digest"])

    func flip(_ name: String) throws {
      let path = fixture.folder.at(name)
      let status = try #require(FileStatus(path))
      var bytes = Array(try #require(TestFolder.read(path)).utf8)
      bytes[bytes.count / 2] ^= 1
      try TestFolder.write(bytes, to: path)
      TestFolder.date(path, nanoseconds: status.changed)
      #expect(FileStatus(path)?.changed == status.changed)
    }
    // The time and length of both are as before, so that only reading tells.
    try flip("out/a.jpg")
    try flip("raws/b.dng")
    let before = fixture.output("a.jpg")
    #expect(try fixture.run().end.skipped == 3)
    let found = try fixture.run { $0.verifies = true }
    #expect(found.ids(.failed) == ["a.dng"] && found.items["a.dng"]?.error?.code == "exists")
    #expect(fixture.output("a.jpg") == before)
    #expect(found.ids(.done) == ["b.dng"] && found.ids(.skipped) == ["c.dng"])
    #expect(fixture.output("b.jpg") == "main of\n" + (fixture.folder.read("raws/b.dng") ?? ""))
    let mended = try fixture.run { ($0.verifies, $0.overwrites) = (true, true) }
    #expect(
      mended.ids(.done) == ["a.dng"] && fixture.output("a.jpg") == "main of\nlight of a.dng\n")
    #expect(try fixture.run { $0.verifies = true }.end.skipped == 3)
  }

  @Test func aChangedNameTemplateLeavesTheOldFile() throws {
    var fixture = try BatchFixture("a.dng")
    try fixture.run()
    fixture.recipe = "outputs: {main: {name: 'web/{stem}'}}"
    #expect(try fixture.run().end.done == 1)
    #expect(try fixture.folder.names("out") == ["a.jpg", "web/a.jpg"])
    #expect(try fixture.run().end.skipped == 1)
  }
}
