import Testing

@testable import Batch

/// The terminal output of a batch.
@Suite struct ReportTextTests {
  private typealias S = SampleReports

  private func summary(done: Int, failed: Int) -> ReportSummary {
    var summary = ReportSummary()
    for index in 0..<done { summary.add(S.item("d\(index)", .done)) }
    for index in 0..<failed { summary.add(S.item("f\(index)\n\u{1b}[2J", .failed)) }
    summary.seconds = 12
    return summary
  }

  @Test func namesTenFailures() {
    let ten = ReportText.summary(summary(done: 3, failed: 10)).split(separator: "\n")
    #expect(ten.count { $0.contains("[damaged]") } == 10)
    #expect(!ten.contains { $0.hasPrefix("and ") })
    let more = ReportText.summary(summary(done: 3, failed: 1234)).split(separator: "\n")
    #expect(more.count { $0.contains("[damaged]") } == 10)
    #expect(more[10] == "and 1,224 more that failed")
    #expect(more[0] == "f0[U+000A][U+001B][2J: ends early; copy it again [damaged]")
  }

  @Test func counts() {
    let lines = ReportText.summary(summary(done: 3, failed: 1), reports: ["a.html", "b\n.jsonl"])
      .split(separator: "\n")
    #expect(
      lines[1...] == [
        "4 files in 12.0 s: 3 developed, 1 failed", "3.00 kB written in 3 files at 1.5 MP/s",
        "report: a.html", "report: b[U+000A].jsonl",
      ])
    #expect(ReportText.summary(ReportSummary()) == "0 files in 0.00 s: nothing to do")
  }
}

/// The progress line.
@Suite struct ProgressLineTests {
  private func progress(_ finished: Int, of total: Int, left: Double? = 252) -> BatchProgress {
    BatchProgress(
      finished: finished, total: total, failed: 3, skipped: 20, seconds: 9,
      megapixelsPerSecond: 38.21, secondsLeft: left)
  }

  @Test func oneWorkSaysHowMuchIsLeft() {
    #expect(
      ProgressLine.text("a.dng: developing", fraction: 0.25, seconds: 3, columns: 79)
        == "[#####...............]  a.dng: developing  25 %  0:09 left")
    // The first steps take longer than their fraction.
    #expect(
      ProgressLine.text("a", fraction: 0.02, seconds: 3, columns: 79)
        == "[....................]  a  2 %")
    #expect(
      ProgressLine.text("a: decoding", fraction: nil, seconds: 62, columns: 79)
        == "a: decoding  1:02")
    #expect(ProgressLine.text("a", fraction: 1, seconds: 5, columns: 79) == "a  0:05")
    let long = String(repeating: "a", count: 100)
    #expect(
      ProgressLine.text(long, fraction: 0.5, seconds: 4, columns: 60)
        == "[##########..........]  \(long.prefix(19))  50 %  0:04 left")
    for columns in [0, 1, 30] {
      #expect(ProgressLine.text("a", fraction: 0.5, seconds: 1, columns: columns).count <= columns)
    }
  }

  @Test func leavesOutWhatDoesNotFit() {
    func text(_ columns: Int) -> String {
      ProgressLine.text(progress(123, of: 500), columns: columns)
    }
    let words = "123/500  24 %  38.2 MP/s  4:12 left  3 failed  20 up to date"
    #expect(
      text(120)
        == "[\(String(repeating: "#", count: 7))\(String(repeating: ".", count: 23))]  \(words)")
    #expect(text(words.count) == words)
    #expect(text(words.count - 1) == "123/500  24 %  38.2 MP/s  4:12 left  3 failed")
    #expect(text(36) == "123/500  24 %  4:12 left  3 failed")
    #expect(text(20) == "123/500  3 failed")
    #expect(text(8) == "123/500" && text(3) == "123" && text(0).isEmpty && text(-5).isEmpty)
  }

  /// For any numbers, it fits and is one line.
  @Test(arguments: 0..<140) func lineFitsTheColumns(columns: Int) {
    for line in [
      progress(0, of: 0), progress(500, of: 500), progress(7, of: 3), progress(-4, of: -9),
      progress(.max, of: .max), progress(1, of: 9, left: .nan), progress(1, of: 9, left: 1e300),
    ] {
      let text = ProgressLine.text(line, columns: columns)
      #expect(text.count <= columns && !text.contains("\n"))
    }
  }
}
