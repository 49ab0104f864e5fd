import Foundation
import SystemPackage
import Testing

@testable import Batch

/// What is done again and what is not.
@Suite struct UpToDateTests {
  private static let early = 1_600_000_000_000_000_000

  @Test func whatIsDoneIsNotOpened() throws {
    let studio = try FakeStudio("a.dng", "b/c.dng")
    let first = try studio.run()
    let before = try studio.folder.listing("out")
    let second = try studio.run()
    #expect(second.end.skipped == 2 && second.end.exitCode == 0)
    #expect(studio.worker.log.isEmpty)
    let isSame =
      try studio.folder.listing("out").filter { !$0.contains("/.rawdev") }
      == before.filter { !$0.contains("/.rawdev") }
    #expect(isSame)
    // It says of them what it said when they were made.
    let item = try #require(second.items["a.dng"])
    #expect(item.reason == "up to date" && item.outputs == first.items["a.dng"]?.outputs)
    #expect(item.sha256 == first.items["a.dng"]?.sha256)
  }

  @Test func changedSourcesAreDoneAgain() throws {
    let studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    try studio.add("a.dng", "other light")
    let run = try studio.run()
    #expect(run.ids(.done) == ["a.dng"] && run.items["a.dng"]?.reason == "source changed")
    #expect(run.ids(.skipped) == ["b.dng"] && studio.output("a.jpg") == "main of\nother light")
    #expect(try studio.run().end.skipped == 2)
  }

  @Test func touchedSourcesAreReadOnce() throws {
    let studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    TestFolder.date(studio.folder.file("raws/a.dng"), nanoseconds: Self.early)
    let run = try studio.run()
    #expect(run.end.skipped == 2 && run.items["a.dng"]?.reason == "content unchanged")
    #expect(studio.worker.log == ["open a.dng"])
    // From now on its new time is known.
    #expect(try studio.run().end.skipped == 2)
    #expect(studio.worker.log.isEmpty)
  }

  @Test func sourcesThatChangeMeanwhileAreDoneByTheNextRun() throws {
    let studio = try FakeStudio("edited.dng")
    #expect(try studio.run().end.done == 1)
    // The worker adds to it each time.
    #expect(try studio.run().items["edited.dng"]?.reason == "source changed")
  }

  @Test func otherRecipesAndEnginesDoAllAgain() throws {
    var studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    studio.recipe = "raw: {exposure: 0.5}"
    var run = try studio.run()
    #expect(run.end.done == 2 && run.items["a.dng"]?.reason == "recipe or engine changed")
    #expect(try studio.run().end.skipped == 2)
    // Said in other words it is the same.
    studio.recipe = "{description: brighter, raw: {exposure: 5.0e-1}}"
    #expect(try studio.run().end.skipped == 2)
    run = try studio.run { $0.version = "2" }
    #expect(run.end.done == 2 && studio.worker.developed == ["a.dng", "b.dng"])
  }

  @Test func oneSidecarMeansOneRaw() throws {
    let studio = try FakeStudio("a.dng", "b.dng", "c.dng")
    try studio.run()
    for text in ["raw: {exposure: 1}", "raw: {exposure: 2}"] {
      try studio.folder.write(text, to: "raws/b.dng.rawdev.yaml")
      let run = try studio.run()
      #expect(run.ids(.done) == ["b.dng"] && studio.worker.developed == ["b.dng"])
      #expect(try studio.run().end.skipped == 3)
    }
    // A comment changes nothing; without the sidecar it is as it was.
    try studio.folder.write("# why\nraw: {exposure: 2}", to: "raws/b.dng.rawdev.yaml")
    #expect(try studio.run().end.skipped == 3)
    try studio.folder.remove("raws/b.dng.rawdev.yaml")
    #expect(try studio.run().ids(.done) == ["b.dng"])
  }

  @Test func sidecarsThatCannotBeReadCostTheirRaw() throws {
    let studio = try FakeStudio("a.dng", "b.dng", "new.dng")
    try studio.run(try studio.sources.dropLast())
    for name in ["b", "new"] {
      try studio.folder.write("raw: [", to: "raws/\(name).dng.rawdev.yaml")
    }
    let run = try studio.run()
    #expect(run.ids(.skipped) == ["a.dng"] && run.ids(.failed) == ["b.dng", "new.dng"])
    let message = run.items["b.dng"]?.error?.message ?? ""
    #expect(message.contains("b.dng.rawdev.yaml") && !message.contains("\n"))
    #expect(run.end.exitCode == 3 && studio.output("b.jpg") != nil)
  }

  @Test func outputsThatAreGoneAreMadeAgain() throws {
    let studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    try studio.folder.remove("out/a.jpg")
    let run = try studio.run()
    #expect(run.ids(.done) == ["a.dng"] && run.items["a.dng"]?.reason == "output missing: a.jpg")
  }

  @Test func outputsThatOthersChangedStay() throws {
    var studio = try FakeStudio("a.dng", "b.dng")
    try studio.run()
    try studio.folder.write("retouched", to: "out/a.jpg")
    let isRefused: (FakeStudio.Run) -> Void = { run in
      #expect(run.ids(.failed) == ["a.dng"] && run.items["a.dng"]?.error?.code == "exists")
      #expect(studio.output("a.jpg") == "retouched")
    }
    isRefused(try studio.run())
    // Whatever else changed.
    try studio.add("a.dng", "other light")
    isRefused(try studio.run())
    studio.recipe = "raw: {exposure: 0.5}"
    isRefused(try studio.run())
    let run = try studio.run { $0.overwrites = true }
    #expect(run.ids(.done).contains("a.dng") && studio.output("a.jpg") == "main of\nother light")
  }

  @Test func verifyingFindsAFlippedBit() throws {
    let studio = try FakeStudio("a.dng", "b.dng", "c.dng")
    try studio.run()
    let run = try studio.run { $0.verifies = true }
    #expect(run.end.skipped == 3 && run.items["a.dng"]?.reason == "verified")
    #expect(studio.worker.log == ["digest", "digest", "digest"])

    func flip(_ name: String) throws {
      let path = studio.folder.file(name)
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
    let before = studio.output("a.jpg")
    #expect(try studio.run().end.skipped == 3)
    let found = try studio.run { $0.verifies = true }
    #expect(found.ids(.failed) == ["a.dng"] && found.items["a.dng"]?.error?.code == "exists")
    #expect(studio.output("a.jpg") == before)
    #expect(found.ids(.done) == ["b.dng"] && found.ids(.skipped) == ["c.dng"])
    #expect(studio.output("b.jpg") == "main of\n" + (studio.folder.read("raws/b.dng") ?? ""))
    let mended = try studio.run { ($0.verifies, $0.overwrites) = (true, true) }
    #expect(mended.ids(.done) == ["a.dng"] && studio.output("a.jpg") == "main of\nlight of a.dng\n")
    #expect(try studio.run { $0.verifies = true }.end.skipped == 3)
  }

  @Test func aTemplateMovedElsewhereLeavesTheOldFile() throws {
    var studio = try FakeStudio("a.dng")
    try studio.run()
    studio.recipe = "outputs: {main: {name: 'web/{stem}'}}"
    #expect(try studio.run().end.done == 1)
    #expect(try studio.folder.names("out") == ["a.jpg", "web/a.jpg"])
    #expect(try studio.run().end.skipped == 1)
  }
}
