import Foundation
import Testing

@testable import Batch

/// Which shards and runs are missing.
@Suite struct BatchCoverageTests {
  private func run(
    _ shard: String?, minute: Int = 0, items: Int = 10, of total: Int = 10, batch: String? = nil
  ) -> BatchRun {
    var run = BatchRun(
      start: SampleReports.start("w1", minute: minute, shard: shard, total: total, batch: batch))
    run.items = items
    return run
  }

  @Test func missingShards() {
    #expect(BatchCoverage((0..<8).map { run("\($0)/8") }).isComplete)
    #expect(BatchCoverage([run("0/8"), run("2/8"), run("3/8")]).missing == ["1, 4–7 of 8"])
    #expect(
      BatchCoverage([run("1/2", batch: "a"), run("0/2", batch: "b")]).missing == [
        "0 of 2", "1 of 2",
      ])
    #expect(BatchCoverage([run("0/1000000000")]).missing == ["1–999999999 of 1000000000"])
    #expect(BatchCoverage([]).isComplete)
  }

  /// Invalid shards count as complete batches.
  @Test(arguments: ["", "x/y", "3", "2/2", "-1/2", "1/0", "0/9223372036854775807", "1/2/3"])
  func invalidShardsAreCompleteBatches(_ shard: String) {
    #expect(BatchCoverage([run(shard)]).isComplete)
  }

  /// A run that was cut off is made up for by a later one of the same shard or of all, not by an
  /// earlier or a smaller one, nor by one of another batch.
  @Test func unfinishedRuns() {
    let cut = run("0/2", minute: 10, items: 4)
    let other = run("1/2", minute: 10)
    func unfinished(_ more: BatchRun...) -> Int {
      BatchCoverage([cut, other] + more).unfinished.count
    }
    #expect(unfinished() == 1)
    #expect(unfinished(run("0/2", minute: 20)) == 0)
    #expect(unfinished(run("0/2", minute: 20, items: 9)) == 2)
    #expect(unfinished(run("0/2", minute: 0)) == 1)
    #expect(unfinished(run("0/2", minute: 20, items: 3, of: 3)) == 1)
    #expect(unfinished(run("0/2", minute: 20, batch: "b")) == 1)
    #expect(unfinished(run(nil, minute: 20, items: 20, of: 20)) == 0)
    #expect(unfinished(run(nil, minute: 20, items: 19, of: 19)) == 1)
  }

  /// A run without a last line that names all its sources lacks none.
  @Test func namedAll() { #expect(BatchCoverage([run(nil)]).isComplete) }
}
