import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct JournalTests {
  private func record(
    _ source: String, key: String, changed: Int = 5, path: String = "b/a.jpg",
    staged: String = "b/.rawdev-0.part"
  ) -> JournalRecord {
    let output = BatchItem.Output(
      name: "main", path: "/out/\(source).jpg", format: "jpeg-sdr", width: 3, height: 2, bytes: 10,
      xxh128: "aa", contentHeadroom: 1, maxCLL: 203, maxFALL: 20)
    return JournalRecord(
      source: source, bytes: 1, changed: 2, info: .made(), key: key,
      outputs: [.init(path: path, staged: staged, changed: changed, item: output)])
  }

  private func append(_ lines: [JournalLine], in folder: TestFolder, writer: String = "all@m")
    throws
  {
    let journal = try Journal(in: folder.root, writer: writer)
    for line in lines { try journal.append(line, isSynced: true) }
  }

  @Test func writtenIsRead() throws {
    let folder = try TestFolder()
    #expect(try JournalHistory(in: folder.root).records.isEmpty)
    let odd = FilePath(bytes: [0x2F, 0xFF, 0x0A]).text
    try append(
      [
        .begin(source: odd, staged: ["b/.s", ".t"]), .done(record(odd, key: "1")),
        .begin(source: "/b", staged: [".u"]),
      ], in: folder)
    let history = try JournalHistory(in: folder.root)
    #expect(history.records == [odd: record(odd, key: "1")])
    #expect(history.staged == ["all@m": ["b/.s", ".t", ".u"]])
  }

  @Test func theLastRecordOfAWriterCounts() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1")), .done(record("/a", key: "2"))], in: folder)
    try append([.done(record("/a", key: "3"))], in: folder)
    #expect(try JournalHistory(in: folder.root).records["/a"]?.key == "3")
  }

  @Test(arguments: [("1@m", "2@m"), ("2@m", "1@m")])
  func theNewerFilesOfTwoWritersCount(old: String, new: String) throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "old", changed: 100))], in: folder, writer: old)
    try append([.done(record("/a", key: "new", changed: 200))], in: folder, writer: new)
    let history = try JournalHistory(in: folder.root)
    #expect(history.records["/a"]?.key == "new")
  }

  @Test func theNewestRecordOfEachSetOfOutputsStays() throws {
    let records = [
      record("/a", key: "1", path: "b/a.jpg"), record("/a", key: "2", path: "b/b.jpg"),
      record("/a", key: "3", changed: 6, path: "b/a.jpg"),
      record("/a", key: "4", changed: 4, path: "b/b.jpg"),
    ]
    // Of one writer the last, regardless of its clock; of two the newer.
    for (writers, kept) in [(["1@m", "1@m"], ["3", "4"]), (["1@m", "2@m"], ["2", "3"])] {
      let folder = try TestFolder()
      for (index, record) in records.enumerated() {
        try append([.done(record)], in: folder, writer: writers[index / 2])
      }
      let history = try JournalHistory(in: folder.root)
      #expect(history.alternatives["/a"]?.map(\.key) == kept)
    }
  }

  @Test func aTruncatedLineIsSkipped() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1"))], in: folder)
    let path = folder.at(".rawdev/journal-all@m.jsonl")
    let whole = try #require(TestFolder.read(path))
    try TestFolder.write(Array((whole + whole.dropLast(20)).utf8), to: path)
    #expect(try JournalHistory(in: folder.root).records.keys.sorted() == ["/a"])
    try append([.done(record("/b", key: "2"))], in: folder)
    let history = try JournalHistory(in: folder.root)
    #expect(history.records.keys.sorted() == ["/a", "/b"])
    // Existing lines are not rewritten.
    #expect(TestFolder.read(path)?.hasPrefix(whole) ?? false)
  }

  @Test func unreadableLinesAreIgnored() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1"))], in: folder)
    let path = folder.at(".rawdev/journal-all@m.jsonl")
    let whole = Array(try #require(TestFolder.read(path)).utf8)
    let garbage = [0xFF, 0, 10, 10] + Array("{}\n[1]\n{\"done\":{}}\nnull\n".utf8)
    try TestFolder.write(garbage + whole + garbage, to: path)
    try TestFolder.write(garbage, to: folder.at(".rawdev/journal-other@x.jsonl"))
    try folder.write("x", to: ".rawdev/notes.txt")
    let history = try JournalHistory(in: folder.root)
    #expect(history.records.keys.sorted() == ["/a"])
  }

  @Test(arguments: [
    ("../a.jpg", "../.rawdev-0.part"), ("/tmp/a.jpg", "/tmp/.rawdev-0.part"),
    ("b/a.jpg", ".rawdev-0.part"), ("b/a.jpg", "b/other.jpg"), ("", ".rawdev-0.part"),
    ("b/../a.jpg", "b/../.rawdev-0.part"), ("b/a.jpg", ""),
  ])
  func recordsOfFilesOutsideTheFolderAreIgnored(path: String, staged: String) throws {
    let folder = try TestFolder()
    try append(
      [
        .done(record("/a", key: "1", path: path, staged: staged)),
        .done(record("/b", key: "2")),
      ], in: folder)
    #expect(try JournalHistory(in: folder.root).records.keys.sorted() == ["/b"])
  }

  @Test func pipesAreNoJournals() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1"))], in: folder)
    let pipe = folder.at(".rawdev/journal-other@x.jsonl")
    #expect(mkfifo(pipe.string, 0o600) == 0)
    let error = #expect(throws: BatchError.self) { try JournalHistory(in: folder.root) }
    #expect(error?.code == .cannotRead && error?.path == pipe)
  }

  @Test func aJournalIsLocked() throws {
    let folder = try TestFolder()
    let first = try Journal(in: folder.root, writer: "all@m")
    let error = #expect(throws: BatchError.self) { try Journal(in: folder.root, writer: "all@m") }
    #expect(error?.code == .cannotWrite && error?.path == folder.root)
    // The first is not affected, and others have their own.
    try first.append(.begin(source: "/a", staged: [".s"]), isSynced: true)
    _ = try Journal(in: folder.root, writer: "0-of-2@m")
    withExtendedLifetime(first) {}
  }

  @Test func linksAndPipesAreNotWrittenTo() throws {
    let folder = try TestFolder()
    let other = try folder.write("other", to: "other")
    try Folders.create(folder.at(".rawdev"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".rawdev/journal-link@m.jsonl"), withDestinationPath: other)
    #expect(mkfifo(folder.file(".rawdev/journal-pipe@m.jsonl"), 0o600) == 0)
    for (writer, word) in [("link@m", "link"), ("pipe@m", "regular")] {
      let error = #expect(throws: BatchError.self) {
        _ = try Journal(in: folder.root, writer: writer)
      }
      #expect(error?.code == .cannotWrite && error?.message.contains(word) ?? false)
    }
    #expect(folder.read("other") == "other")
  }

  @Test func theLockIsReleased() throws {
    let folder = try TestFolder()
    for _ in 0..<3 { _ = try Journal(in: folder.root, writer: "all@m") }
    try folder.write("x", to: "file")
    let error = #expect(throws: BatchError.self) {
      _ = try Journal(in: folder.at("file/below"), writer: "all@m")
    }
    #expect(error?.code == .cannotWrite)
  }

  @Test func journalsOfAnyLengthAreRefused() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1"))], in: folder)
    // Together with the first one it is too long.
    let path = try folder.write("", to: ".rawdev/journal-other@x.jsonl")
    #expect(truncate(path, 4 << 30) == 0)
    let error = #expect(throws: BatchError.self) { try JournalHistory(in: folder.root) }
    #expect(error?.code == .cannotRead && error?.path == FilePath(path))
    #expect(error?.message.contains("more than 4 GiB") ?? false)
  }

  @Test func linesOfAnyLengthAreLeftOut() throws {
    let folder = try TestFolder()
    try append([.done(record("/a", key: "1"))], in: folder)
    let path = folder.at(".rawdev/journal-all@m.jsonl")
    let whole = Array(try #require(TestFolder.read(path)).utf8)
    let long = [UInt8](repeating: 0, count: ReportLog.maxLineLength + 1)
    let journals: [[UInt8]] = [long + [10] + whole, whole + long]
    for bytes in journals {
      try TestFolder.write(bytes, to: path)
      #expect(try JournalHistory(in: folder.root).records.keys.sorted() == ["/a"])
    }
  }

  @Test func itsFolderDoesNotLeadOut() throws {
    let folder = try TestFolder()
    for name in ["out/own", "other"] { try Folders.create(folder.at(name)) }
    let out = folder.at("out")
    func link(to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("out/.rawdev"), withDestinationPath: target)
    }
    try link(to: "../other")
    var error = #expect(throws: BatchError.self) { _ = try Journal(in: out, writer: "all@m") }
    #expect(error?.code == .cannotWrite && error?.message.contains("leads out") ?? false)
    error = #expect(throws: BatchError.self) { try JournalHistory(in: out) }
    #expect(error?.message.contains("leads out") ?? false)
    #expect(try Folders.names(in: folder.at("other")).isEmpty)
    try folder.remove("out/.rawdev")
    try link(to: "own")
    _ = try Journal(in: out, writer: "all@m")
    #expect(FileStatus(folder.at("out/own/journal-all@m.jsonl")) != nil)
  }
}
