import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct ReportFilesTests {
  private func lines(_ folder: TestFolder) throws -> [BatchEvent] {
    let text = try #require(folder.read("out/rawdev-report.jsonl"))
    return try text.split(separator: "\n").map { try BatchEvent(line: Data($0.utf8)) }
  }

  private func report(_ folder: TestFolder, continues: Bool = false, _ events: [BatchEvent]) throws
    -> ReportFiles
  {
    let files = try ReportFiles(
      in: folder.at("out"), shard: nil, workingFolder: folder.root, continues: continues)
    for event in events { try files.add(event) }
    return files
  }

  private let start = BatchEvent.start(SampleReports.start(total: 2))
  private func item(_ id: String) -> BatchEvent { .item(SampleReports.item(id, .done, minute: 1)) }
  private let end = BatchEvent.end(SampleReports.end())

  @Test func linesAndPage() throws {
    let folder = try TestFolder()
    let progress = BatchEvent.progress(
      BatchProgress(
        finished: 1, total: 2, failed: 0, skipped: 0, seconds: 1, megapixelsPerSecond: 1,
        secondsLeft: nil))
    let files = try report(folder, [start, item("a"), progress, item("b"), end])
    #expect(try lines(folder) == [start, item("a"), item("b"), end])
    #expect(try files.finish().done == 2)
    #expect(folder.read("out/rawdev-report.html")?.contains("</html>") ?? false)
    #expect(try folder.names("out") == ["rawdev-report.html", "rawdev-report.jsonl"])
  }

  @Test func aFinishedReportIsReplaced() throws {
    let folder = try TestFolder()
    _ = try report(folder, [start, item("a"), end])
    _ = try report(folder, [start, item("b")])
    #expect(try lines(folder) == [start, item("b")])
    // Truncated: preserved. Continued: preserved.
    _ = try report(folder, [start, item("c"), end])
    #expect(try lines(folder) == [start, item("b"), start, item("c"), end])
    _ = try report(folder, continues: true, [start, end])
    #expect(try lines(folder).count == 7)
  }

  @Test func aTruncatedLineIsSkipped() throws {
    let folder = try TestFolder()
    _ = try report(folder, [start, item("a")])
    let text = try #require(folder.read("out/rawdev-report.jsonl"))
    try folder.write(String(text.dropLast(30)), to: "out/rawdev-report.jsonl")
    let files = try report(folder, [start, item("b"), end])
    let whole = try #require(folder.read("out/rawdev-report.jsonl")).split(separator: "\n")
      .compactMap { try? BatchEvent(line: Data($0.utf8)) }
    #expect(whole == [start, start, item("b"), end])
    #expect(try files.finish().done == 1)
  }

  @Test func shardsHaveReportsOfTheirOwn() throws {
    let folder = try TestFolder()
    let files = try ReportFiles(
      in: folder.at("out"), shard: try Shard(1, of: 3), workingFolder: folder.root)
    #expect(files.lines == folder.at("out/rawdev-report-1-of-3.jsonl"))
    #expect(files.page == folder.at("out/rawdev-report-1-of-3.html"))
  }

  @Test(arguments: ["rawdev-report.jsonl", "rawdev-report.html"])
  func linksAreNotWrittenTo(name: String) throws {
    let folder = try TestFolder()
    let other = try folder.write("other", to: "other")
    try Folders.create(folder.at("out"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("out/" + name), withDestinationPath: other)
    let error = #expect(throws: BatchError.self) {
      _ = try ReportFiles(in: folder.at("out"), shard: nil, workingFolder: folder.root)
    }
    #expect(error?.code == .cannotWrite && error?.path == folder.at("out/" + name))
    #expect(error?.message.contains("link") ?? false)
    #expect(folder.read("other") == "other")
  }

  @Test func foldersWithAnyName() throws {
    let folder = try TestFolder()
    let odd = folder.root.pushing(FilePath(bytes: [0xFF, 0x0A]))
    let files = try ReportFiles(in: odd, shard: nil, workingFolder: folder.root)
    for event in [start, item("a"), end] { try files.add(event) }
    #expect(try files.finish().done == 1)
    #expect(FileStatus(files.page) != nil)
  }

  @Test func aReportOfAnyLengthIsNotContinued() throws {
    let folder = try TestFolder()
    let path = try folder.write("", to: "out/rawdev-report.jsonl")
    #expect(truncate(path, (32 << 30) + 1) == 0)
    let error = #expect(throws: BatchError.self) { _ = try report(folder, []) }
    #expect(error?.code == .cannotWrite && error?.path == FilePath(path))
    #expect(error?.message.contains("more than 32 GiB") ?? false)
  }
}
