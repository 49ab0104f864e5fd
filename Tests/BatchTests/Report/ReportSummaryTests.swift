import Foundation
import Testing

@testable import Batch

/// The result of a batch.
@Suite struct ReportSummaryTests {
  private typealias S = SampleReports

  /// The parts add up to the total for any reports.
  @Test(arguments: 0..<40) func addsUp(seed: UInt64) throws {
    var chance = S(seed: seed)
    let merge = try ReportMerge(ReportLog(bytes: (0..<4).map { _ in chance.run() }))
    let summary = try merge.summary()
    #expect(summary.total == merge.count)
    #expect(summary.failed == summary.failures.count)
    #expect(summary.failuresByCode.values.reduce(0, +) == summary.failed)
    #expect(summary.nodes.values.reduce(0, +) == summary.done)
    #expect(summary.outputs == summary.done && summary.bytes == summary.done * 1000)
    #expect(abs(summary.megapixels - 6 * Double(summary.done)) < 1e-9)
    #expect(summary.outcome == merge.outcome)
    for status in S.statuses {
      var count = 0
      try merge.items([status]) { _ in count += 1 }
      #expect(count == merge.count(of: status))
    }
  }

  /// Time is that during which any machine worked, not the sum of machines.
  @Test func worksTogether() throws {
    func report(_ node: String, minute: Int, seconds: Double) -> Data {
      S.run(
        S.start(node, minute: minute, shard: nil, total: 1), [S.item(node, .done)],
        end: S.end(minute: minute, seconds: seconds))
    }
    let reports = [
      report("w1", minute: 0, seconds: 120), report("w2", minute: 1, seconds: 120),
      report("w3", minute: 1, seconds: 30), report("w4", minute: 60, seconds: 20),
    ]
    let summary = try ReportMerge(ReportLog(bytes: reports)).summary()
    #expect(summary.seconds == 200)
    #expect(abs(summary.megapixelsPerSecond - 24.0 / 200) < 1e-9)
    #expect(summary.crashes == 4)
  }

  /// A run that was cut off has the time of its last progress, and is named.
  @Test func cutOff() throws {
    let progress = BatchProgress(
      finished: 1, total: 9, failed: 0, skipped: 0, seconds: 33, megapixelsPerSecond: 1,
      secondsLeft: 4)
    let bytes = S.lines([
      .start(S.start("w7", shard: "2/3", total: 9)), .item(S.item("a", .done)), .progress(progress),
    ])
    let summary = try ReportMerge(ReportLog(bytes: [bytes + Data("{\"event\":\"it".utf8)]))
      .summary()
    #expect(summary.seconds == 33 && summary.outcome == .interrupted && summary.shards == ["2/3"])
    #expect(summary.missingShards == ["0–1 of 3"])
    let text = summary.warnings.map(\.message).joined(separator: "\n")
    #expect(text.contains("shard 2/3 on w7 names 1 of 9 sources"))
    #expect(text.contains("no report of shards 0–1 of 3"))
    #expect(text.contains("the last line of report 1 was cut off"))
  }

  /// The page of one shard does not miss the others, but its own run when that was cut off.
  @Test func ofAPart() throws {
    let bytes = S.lines([.start(S.start("w7", shard: "2/3", total: 9)), .item(S.item("a", .done))])
    let summary = try ReportMerge(ReportLog(bytes: [bytes]), isPart: true).summary()
    #expect(summary.missingShards.isEmpty && summary.unfinishedRuns.count == 1)
    #expect(summary.warnings.count == 1 && summary.outcome == .interrupted)
  }

  @Test func slowest() {
    var summary = ReportSummary()
    for seconds in [3, 1, 20, 5, 5, 8, 2, 9, 4, 6, 7, 0.5] + [.infinity, .nan, -1] {
      var item = S.item("\(seconds)", .done)
      item.seconds = seconds
      summary.add(item)
    }
    #expect(summary.slowest.map(\.seconds) == [20, 9, 8, 7, 6, 5, 5, 4, 3, 2])
  }

  /// Numbers that no picture has are no trap.
  @Test func extremes() {
    var item = S.item("a", .done)
    item.outputs[0].bytes = .max
    (item.outputs[0].width, item.outputs[0].height) = (.max, .max)
    var summary = ReportSummary()
    summary.add(item)
    summary.add(item)
    item.outputs[0].bytes = .min
    item.outputs[0].width = .min
    summary.add(item)
    #expect(summary.bytes == .max && summary.megapixels.isFinite)
    var run = BatchRun(start: S.start(total: .max))
    run.seconds = .nan
    run.end = S.end()
    run.end?.crashes = .max
    summary.add([run, run], coverage: BatchCoverage([run, run]))
    #expect(summary.crashes == .max && summary.unfinishedRuns.count == 2)
    #expect(!ReportText.summary(summary).isEmpty)
  }
}
