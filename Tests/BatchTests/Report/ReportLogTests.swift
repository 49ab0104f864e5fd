import Foundation
import Testing

@testable import Batch
@testable import Develop

/// Reading reports, complete and damaged.
@Suite struct ReportLogTests {
  private func events(_ bytes: Data) throws -> (events: [BatchEvent], reading: ReportLog.Reading) {
    var events: [BatchEvent] = []
    let reading = try ReportLog(bytes: [bytes]).read { events.append($0) }
    return (events, reading)
  }

  private var sample: [BatchEvent] {
    var item = SampleReports.item("a\nb \u{2028} </script>", .done, minute: 3, node: "w1")
    item.light = .init(
      histogram: Array(0..<64), blackShare: 0, aboveWhiteShare: 0.25, clippedShare: 1)
    (item.thumbnail, item.fileHeadroom, item.alsoDoneBy) = ("data:", .infinity, ["w2"])
    return [
      .start(SampleReports.start(total: 2)), .item(item),
      .progress(
        BatchProgress(
          finished: 1, total: 2, failed: 0, skipped: 0, seconds: 2, megapixelsPerSecond: 3,
          secondsLeft: nil)),
      .item(SampleReports.item("c", .failed)), .end(SampleReports.end(outcome: .someFailed)),
    ]
  }

  /// Written events can be read, and one event is one line.
  @Test func writtenIsRead() throws {
    let bytes = SampleReports.lines(sample)
    #expect(bytes.count { $0 == 10 } == sample.count)
    let (events, reading) = try events(bytes)
    #expect(events == sample)
    #expect(reading.lines == 5 && reading.badLines == 0 && reading.truncatedReports.isEmpty)
  }

  /// Cut off at any byte, all complete lines are read and no other is counted as bad.
  @Test func logsCutAtAnyByteAreRead() throws {
    let bytes = SampleReports.lines(sample)
    for length in 0...bytes.count {
      let cut = bytes.prefix(length)
      let (events, reading) = try events(Data(cut))
      let complete = cut.count { $0 == 10 }
      #expect(events.count >= complete && events == Array(sample.prefix(events.count)))
      #expect(
        events.count + reading.truncatedReports.count == complete
          + (cut.last == 10 || length == 0 ? 0 : 1))
      #expect(reading.badLines == 0)
    }
  }

  /// Lines of later versions, of wrong types and no lines at all each cost themselves only.
  @Test func strangeLines() throws {
    let lines = [
      #"{"event":"start","schema":9,"version":"9","time":"t","node":"n","total":1,"jobs":1,"#
        + #""memoryBytes":1,"new":{}}"#,
      #"{"event":"rumour","of":[1]}"#, "", "  \t\r", "no JSON", #"{"event":3}"#, "[]", "null",
      #"{"event":"item","id":"a","status":"done","later":[{"x":null}]}"#,
      #"{"event":"item","id":"b","status":"improved"}"#,
      #"{"event":"item","id":7,"status":"done"}"#, #"{"event":"item","status":"done"}"#,
      #"{"event":"item","id":"c","status":"done","light":{"histogram":"x"}}"#,
      #"{"event":"item","id":"d","status":"done","seconds":1e999}"#,
      String(repeating: "[", count: 100_000),
      #"{"event":"item","id":"e","status":"skipped"}"#,
    ]
    let (events, reading) = try events(Data((lines.joined(separator: "\n") + "\n").utf8))
    let ids = events.compactMap { event in
      if case .item(let item) = event { item.id } else { nil }
    }
    #expect(ids == ["a", "e"])
    #expect(reading.unknownEvents == 1 && reading.schema == 9)
    #expect(reading.problems.map(\.line) == [5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
    #expect(reading.badLines == 10 && reading.truncatedReports.isEmpty && reading.lines == 14)
    #expect(reading.problems[4].message.contains("status"))
    #expect(reading.problems[6].message.contains("\"id\""))
  }

  /// Bytes that are no UTF-8, a line of 5 MB and one that is too long.
  @Test func longLinesAndNoText() throws {
    var long = SampleReports.item("long", .failed)
    long.error = .init(code: "damaged", message: String(repeating: "m", count: 5 << 20))
    var bytes = SampleReports.lines([.item(long)])
    bytes += [0x7B, 0xFF, 0xFE, 0x0A]
    bytes += Data(repeating: 0x78, count: ReportLog.maxLineLength + 1) + [0x0A]
    bytes += SampleReports.lines([.item(SampleReports.item("after", .done))])
    let (events, reading) = try events(bytes)
    #expect(events == [.item(long), .item(SampleReports.item("after", .done))])
    #expect(reading.problems.map(\.line) == [2, 3])
  }

  /// Files read in chunks give the same result as memory, and any line can be read by its offset.
  @Test func filesInChunks() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rawdev-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var item = SampleReports.item("x", .done)
    let items = (0..<200).map { index in
      item.id = "IMG_\(index)"
      item.thumbnail = String(repeating: "t", count: index * 53)
      return item
    }
    let path = folder.appendingPathComponent("r.jsonl").path
    try SampleReports.lines(items.map { .item($0) }).write(to: URL(fileURLWithPath: path))
    let log = ReportLog(paths: [path])
    var positions: [ReportLog.Position] = []
    var read: [BatchEvent] = []
    _ = try log.read { event, position in
      read.append(event)
      positions.append(position)
    }
    #expect(read == items.map { .item($0) })
    for (position, item) in zip(positions, items) {
      #expect(try log.event(at: position) == .item(item))
    }

    try Data("short".utf8).write(to: URL(fileURLWithPath: path))
    #expect { try log.event(at: positions[150]) } throws: { ($0 as? BatchError)?.code == .changed }
    for wrong in [folder.path, path + "-not"] {
      #expect { try ReportLog(paths: [wrong]).read { _ in } } throws: {
        ($0 as? BatchError)?.code == .cannotRead
      }
    }
  }

  /// Errors of the caller's reads pass through and are not reported as bad lines.
  @Test func errorsComeThrough() {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try ReportLog(bytes: [SampleReports.lines(sample)]).read { _ in throw Enough() }
    }
  }
}
