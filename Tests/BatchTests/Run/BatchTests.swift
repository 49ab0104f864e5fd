import Develop
import Foundation
import ImageCore
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// Reports, refusals and leftovers of a batch, with simulated workers.
@Suite struct BatchTests {
  @Test func everySourceIsDeveloped() throws {
    let fixture = try BatchFixture("a.dng", "b/c.CR2", "b/name with space.dng")
    let run = try fixture.run()
    #expect(run.end.exitCode == 0 && run.end.done == 3)
    #expect(try fixture.folder.names("out") == ["a.jpg", "b/c.jpg", "b/name with space.jpg"])
    #expect(fixture.output("b/c.jpg") == "main of\nlight of b/c.CR2\n")
    let item = try #require(run.items["b/c.CR2"])
    #expect(item.reason == "new" && item.camera == "Fake" && item.node == Machine.name)
    #expect(item.input == fixture.folder.at("raws/b/c.CR2").text)
    #expect(item.xxh128 == Digest.of("light of b/c.CR2\n"))
    let output = try #require(item.outputs.first)
    #expect(item.outputs.count == 1 && output.path == fixture.folder.at("out/b/c.jpg").text)
    #expect(output.xxh128 == Digest.of("main of\nlight of b/c.CR2\n") && output.bytes == 25)
  }

  @Test func severalOutputsOfOneRaw() throws {
    var fixture = try BatchFixture("a.dng")
    fixture.recipe =
      "outputs: {main: null, hdr: {format: heif-hlg}, web: {format: jpeg-sdr, name: 'web/{stem}'}}"
    let run = try fixture.run()
    #expect(try fixture.folder.names("out") == ["a.heic", "web/a.jpg"])
    #expect(run.items["a.dng"]?.outputs.map(\.name).sorted() == ["hdr", "web"])
    #expect(try fixture.run().end.skipped == 1)
    // One of them gone: all of this raw are made again.
    try fixture.folder.remove("out/web/a.jpg")
    #expect(try fixture.run().items["a.dng"]?.reason == "output missing: a.jpg")
    #expect(try fixture.folder.names("out") == ["a.heic", "web/a.jpg"])
  }

  @Test func emptyBatchesAreComplete() throws {
    let fixture = try BatchFixture()
    let run = try fixture.run()
    #expect(
      run.end.exitCode == 0 && run.events.count { if case .item = $0 { true } else { false } } == 0)
  }

  @Test(arguments: [
    (["a.dng", "b.dng"], 0), (["a.dng", "damaged.dng"], 3), (["damaged.dng", "damaged2.dng"], 4),
    (["damaged.dng"], 4), (["a.dng", "full.dng"], 73),
  ]) func exitCodes(names: [String], code: Int) throws {
    let fixture = try BatchFixture()
    for name in names { try fixture.add(name) }
    let run = try fixture.run { $0.freeBytes = { 0 } }
    #expect(run.end.exitCode == code)
    for name in names where name.hasPrefix("damaged") {
      #expect(run.items[name]?.error?.code == "damaged")
    }
  }

  @Test func dryRunsWriteNothing() throws {
    let fixture = try BatchFixture("a.dng", "b/new.dng", "damaged.dng", "touched.dng")
    try fixture.run { $0.shard = nil }
    try fixture.add("b/later.dng")
    try fixture.add("a.dng", "other light")
    TestFolder.date(fixture.folder.at("raws/touched.dng"), nanoseconds: 1_700_000_000_000_000_000)
    let before = try fixture.folder.listing("out") + fixture.folder.listing("raws")
    let run = try fixture.run { $0.isDryRun = true }
    #expect(try fixture.folder.listing("out") + fixture.folder.listing("raws") == before)
    #expect(run.ids(.planned) == ["a.dng", "b/later.dng"])
    #expect(
      run.ids(.skipped) == ["b/new.dng", "touched.dng"] && run.ids(.failed) == ["damaged.dng"])
    #expect(
      run.items["a.dng"]?.reason == "source changed" && run.items["b/later.dng"]?.reason == "new")
    #expect(run.items["a.dng"]?.outputs.map(\.path) == [fixture.folder.at("out/a.jpg").text])
    #expect(fixture.worker.developed.isEmpty)
    // Not even a missing folder is created.
    let fresh = try BatchFixture("a.dng")
    let planned = try fresh.run { $0.isDryRun = true }
    #expect(planned.ids(.planned) == ["a.dng"] && planned.end.exitCode == 0)
    #expect(FileStatus(fresh.out) == nil)
  }

  @Test func twoSourcesWithOneOutput() throws {
    var fixture = try BatchFixture("a.dng", "b.dng", "c.dng")
    fixture.recipe = "outputs: {main: {name: same}}"
    let run = try fixture.run { $0.jobs = 3 }
    #expect(run.end.done == 1 && run.end.failed == 2 && run.end.exitCode == 3)
    for id in run.ids(.failed) { #expect(run.items[id]?.error?.code == "sameOutput") }
    let winner = try #require(run.ids(.done).first)
    #expect(fixture.output("same.jpg") == "main of\nlight of \(winner)\n")
    #expect(try fixture.folder.names("out") == ["same.jpg"])
    // Nor does a newcomer replace an up-to-date file, even where files may be replaced.
    let again = try fixture.run { $0.overwrites = true }
    #expect(again.ids(.skipped) == [winner] && again.end.failed == 2)
    #expect(fixture.output("same.jpg") == "main of\nlight of \(winner)\n")
  }

  /// The output folder is the folder of the sources, by another name.
  @Test func sourcesAreNotReplacedThroughALink() throws {
    var fixture = try BatchFixture("a.dng")
    fixture.recipe = "outputs: {main: {format: dng}}"
    let (link, raw) = (fixture.folder.at("linked"), fixture.folder.at("raws/a.dng"))
    try FileManager.default.createSymbolicLink(
      atPath: link.string, withDestinationPath: raw.removingLastComponent().string)
    let before = try #require(FileManager.default.contents(atPath: raw.string))
    let run = try fixture.run { ($0.output, $0.overwrites) = (link, true) }
    #expect(run.items["a.dng"]?.error?.code == "exists")
    #expect(FileManager.default.contents(atPath: raw.string) == before)
  }

  @Test func twoSourcesWithOneNameFromTwoFolders() throws {
    let fixture = try BatchFixture("x/a.dng", "y/a.dng")
    let files = try SourceList(
      ["raws/x/a.dng", "raws/y/a.dng"], workingFolder: fixture.folder.root)
    let flat = try SourceList(["raws"], workingFolder: fixture.folder.root, isFlat: true)
    for (index, list) in [files, flat].enumerated() {
      var events: [BatchItem] = []
      var options = fixture.options
      options.output = fixture.folder.at("out\(index)")
      let batch = try Batch(list.sources, recipes: try fixture.planner, options: options) {
        if case .item(let item) = $0 { events.append(item) }
      }
      #expect(try batch.run().exitCode == 3)
      #expect(events.filter { $0.status == .failed }.map(\.error?.code) == ["sameOutput"])
      #expect(
        TestFolder.read(options.output.appending("a.dng.jpg")) == "main of\nlight of x/a.dng\n"
          || TestFolder.read(options.output.appending("a.jpg")) == "main of\nlight of x/a.dng\n")
    }
  }

  @Test func aSourceIsNeverAnOutput() throws {
    var fixture = try BatchFixture("a.dng")
    try fixture.folder.write("mine", to: "raws/a.jpg")
    fixture.recipe = "outputs: {main: {format: jpeg-sdr}}"
    let jpeg = RawSource(path: fixture.folder.at("raws/a.jpg"), relativePath: "a.jpg")
    let sources = try fixture.sources + [jpeg]
    for overwrites in [false, true] {
      let run = try fixture.run(sources) {
        ($0.output, $0.overwrites) = (fixture.folder.at("raws"), overwrites)
      }
      #expect(run.items["a.dng"]?.error?.code == "exists")
      #expect(run.items["a.jpg"]?.error?.code == "exists")
      #expect(fixture.folder.read("raws/a.jpg") == "mine")
    }
  }

  @Test func filesOfOthersStay() throws {
    let fixture = try BatchFixture("a.dng", "b.dng")
    try fixture.folder.write("mine", to: "out/a.jpg")
    let run = try fixture.run()
    #expect(run.items["a.dng"]?.error?.code == "exists" && run.ids(.done) == ["b.dng"])
    #expect(fixture.output("a.jpg") == "mine" && fixture.worker.developed == ["b.dng"])
    #expect(try fixture.run { $0.overwrites = true }.ids(.done) == ["a.dng"])
    #expect(fixture.output("a.jpg") == "main of\nlight of a.dng\n")
  }

  /// A file that another program makes while a raw is developed is not lost, unless it is the one
  /// that is being made.
  @Test(arguments: ["mine", "main of\nlight of a.dng\n"])
  func filesThatAppearMeanwhileStay(content: String) throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.worker.hold("a.dng")
    fixture.meanwhile {
      try fixture.worker.wait(for: "begin a.dng")
      try fixture.folder.write(content, to: "out/a.jpg")
      fixture.worker.release("a.dng")
    }
    let run = try fixture.run()
    #expect(run.items["a.dng"]?.error?.code == (content == "mine" ? "exists" : nil))
    #expect(fixture.output("a.jpg") == content)
    #expect(try fixture.folder.names("out") == ["a.jpg"])
  }

  /// Nor is one that replaced an output of an earlier run.
  @Test func filesThatReplaceAnOutputMeanwhileStay() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.run()
    try fixture.add("a.dng", "other light")
    try fixture.worker.hold("a.dng")
    fixture.meanwhile {
      try fixture.worker.wait(for: "begin a.dng")
      try fixture.folder.write("retouched", to: "out/a.jpg")
      fixture.worker.release("a.dng")
    }
    let run = try fixture.run()
    #expect(run.items["a.dng"]?.error?.code == "exists")
    #expect(fixture.output("a.jpg") == "retouched")
  }

  @Test func linksThatLeadNowhereStay() throws {
    let fixture = try BatchFixture("a.dng")
    try Folders.create(fixture.out)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.at("out/a.jpg").string, withDestinationPath: "/away/a.jpg")
    #expect(try fixture.run().items["a.dng"]?.error?.code == "exists")
  }

  @Test func sourcesOfOtherShardsStay() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.folder.write("mine", to: "raws/a.jpg")
    let jpeg = RawSource(path: fixture.folder.at("raws/a.jpg"), relativePath: "a.jpg")
    let sources = try fixture.sources
    var options = fixture.options
    (options.output, options.overwrites) = (fixture.folder.at("raws"), true)
    var failure: String?
    let batch = try Batch(
      sources, of: sources + [jpeg], recipes: try fixture.planner, options: options
    ) { event in
      if case .item(let item) = event { failure = item.error?.code }
    }
    #expect(try batch.run().failed == 1)
    #expect(failure == "exists" && fixture.folder.read("raws/a.jpg") == "mine")
  }

  /// A file that a recipe reads must not be an output.
  @Test func looksStay() throws {
    var fixture = try BatchFixture("a.dng")
    try fixture.folder.write("LUT_3D_SIZE 2", to: "out/a.jpg")
    try fixture.folder.write("", to: "out/keep")
    unlink(fixture.folder.at("out/look.cube").string)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.at("out/look.cube").string, withDestinationPath: "a.jpg")
    fixture.recipe = "raw: {lutPath: out/look.cube}"
    let run = try fixture.run { $0.overwrites = true }
    #expect(run.items["a.dng"]?.error?.code == "exists")
    #expect(fixture.output("a.jpg") == "LUT_3D_SIZE 2")
  }

  @Test func anOutputPathThatCannotBeWrittenFailsAlone() throws {
    // A file at the path of a folder, a folder at the path of a file.
    let fixture = try BatchFixture("a/1.dng", "b.dng", "c.dng", "d.dng", "e.dng")
    try fixture.folder.write("x", to: "out/a")
    try fixture.folder.write("x", to: "out/b.jpg/x")
    let run = try fixture.run { $0.overwrites = true }
    #expect(
      run.ids(.done) == ["c.dng", "d.dng", "e.dng"] && run.ids(.failed) == ["a/1.dng", "b.dng"])
    #expect(run.end.exitCode == 3)
    #expect(try fixture.folder.names("out") == ["a", "b.jpg/x", "c.jpg", "d.jpg", "e.jpg"])
  }

  @Test func namesTooLongForTheDiskFailBeforeDevelopment() throws {
    let name = String(repeating: "n", count: 251)
    var fixture = try BatchFixture("\(name).dng", "b.dng")
    fixture.recipe = "outputs: {main: {format: heif-hlg}}"
    let run = try fixture.run()
    #expect(run.ids(.failed) == ["\(name).dng"] && fixture.worker.developed == ["b.dng"])
  }

  @Test func aFullDiskEndsTheBatch() throws {
    let fixture = try BatchFixture("full.dng")
    for number in 0..<20 { try fixture.add("later\(number).dng") }
    let run = try fixture.run {
      $0.jobs = 1
      $0.freeBytes = { 0 }
    }
    #expect(run.end.exitCode == 73 && run.items["full.dng"]?.error?.code == "diskFull")
    #expect(run.end.interrupted == 20 && fixture.worker.developed == ["full.dng"])
    // With space again it continues where it stopped.
    try fixture.folder.remove("raws/full.dng")
    #expect(try fixture.run().end.done == 20)
  }

  @Test func aDiskThatOnlyAWorkerCallsFullFailsOneFile() throws {
    let fixture = try BatchFixture("full.dng", "z.dng")
    let run = try fixture.run {
      $0.jobs = 1
      $0.freeBytes = { .max }
    }
    #expect(run.ids(.done) == ["z.dng"] && run.ids(.failed) == ["full.dng"])
    #expect(run.end.exitCode == 3)
  }

  @Test func missingAndIrregularSourcesFail() throws {
    let fixture = try BatchFixture("a.dng", "gone.dng", "vanish.dng")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.at("raws/link.dng").string, withDestinationPath: "nowhere")
    // Opening a pipe would wait for ever.
    #expect(mkfifo(fixture.folder.at("raws/pipe.dng").string, 0o600) == 0)
    let sources = try fixture.sources
    try fixture.folder.remove("raws/gone.dng")
    let run = try fixture.run(sources)
    #expect(run.ids(.done) == ["a.dng"])
    for id in ["gone.dng", "link.dng", "pipe.dng", "vanish.dng"] {
      #expect(run.items[id]?.error?.code == "cannotRead")
    }
    #expect(!fixture.worker.log.contains("open pipe.dng"))
  }

  /// Links that came with the output folder; the folder itself may be one.
  @Test func foldersThatAreLinksLeadNowhereElse() throws {
    let fixture = try BatchFixture("a.dng", "away/b.dng", "deep/away/c.dng", "same/d.dng")
    let manager = FileManager.default
    for name in ["real/deep", "real/here", "other"] { try Folders.create(fixture.folder.at(name)) }
    for (link, target) in [
      ("out", "real"), ("real/away", "../other"), ("real/deep/away", "/"), ("real/same", "here"),
    ] {
      try manager.createSymbolicLink(
        atPath: fixture.folder.at(link).string, withDestinationPath: target)
    }
    for isDryRun in [true, false] {
      let run = try fixture.run { $0.isDryRun = isDryRun }
      #expect(run.ids(isDryRun ? .planned : .done) == ["a.dng", "same/d.dng"])
      #expect(run.ids(.failed) == ["away/b.dng", "deep/away/c.dng"])
      let error = try #require(run.items["away/b.dng"]?.error)
      #expect(error.code == "cannotWrite" && error.message.contains("/away is a link that leads"))
    }
    #expect(try fixture.folder.names("other").isEmpty)
    #expect(fixture.folder.read("real/here/d.jpg") != nil)
  }

  @Test func twoBatchesInOneFolder() throws {
    let fixture = try BatchFixture("a.dng")
    let journal = try Journal(in: fixture.out, writer: fixture.options.writer)
    let error = #expect(throws: BatchError.self) { try fixture.run() }
    #expect(error?.code == .cannotWrite)
    withExtendedLifetime(journal) {}
  }

  @Test func anOutputFolderThatIsAFileIsRefused() throws {
    let fixture = try BatchFixture("a.dng")
    try fixture.folder.write("x", to: "out")
    let error = #expect(throws: BatchError.self) { try fixture.run() }
    #expect(error?.code == .cannotWrite && fixture.folder.read("out") == "x")
  }

  @Test func shardsTogetherDevelopEverySource() throws {
    let fixture = try BatchFixture()
    for number in 0..<7 { try fixture.add("\(number).dng") }
    for index in 0..<3 {
      let shard = try Shard(index, of: 3)
      let run = try fixture.run(shard.part(of: try fixture.sources)) { $0.shard = shard }
      guard case .start(let start)? = run.events.first else { continue }
      #expect(start.shard == shard.description)
    }
    #expect(try fixture.folder.names("out") == (0..<7).map { "\($0).jpg" })
    // All of them are known to a run of the complete batch.
    #expect(try fixture.run().end.skipped == 7)
  }

  @Test func warningsAndLongLinesAreRead() throws {
    let fixture = try BatchFixture("garbage.dng", "long.dng", "noise.dng")
    let run = try fixture.run()
    #expect(run.end.done == 3 && run.end.crashes == 0)
    #expect(run.items["long.dng"]?.warnings.map(\.count) == [200_000])
  }

  @Test func optionsOutOfRangeAreRefused() throws {
    let fixture = try BatchFixture("a.dng")
    let changes: [(inout BatchOptions) -> Void] = [
      { $0.jobs = 0 }, { $0.jobs = 1000 }, { $0.threads = 0 }, { $0.memoryBytes = 1 << 20 },
      { $0.timeoutSeconds = 0 }, { $0.timeoutSeconds = .nan }, { $0.timeoutSeconds = .infinity },
      { $0.timeoutSeconds = 1e300 },
    ]
    for change in changes {
      let error = #expect(throws: BatchError.self) { try fixture.run(nil, change) }
      #expect(error?.code == .badSetting)
    }
    #expect(FileStatus(fixture.out) == nil)
  }
}
