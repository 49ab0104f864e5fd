import Testing

@testable import Batch

@Suite struct BatchTallyTests {
  /// What was skipped took no time, and says nothing of what is left.
  @Test func theEndIsThatOfWhatIsWorked() throws {
    var tally = BatchTally(total: 100)
    func count(_ status: BatchItem.Status, _ times: Int) {
      for number in 0..<times {
        tally.count(BatchItem(id: "\(number)", input: "\(number)", status: status), pixels: 5)
      }
    }
    count(.skipped, 60)
    #expect(tally.progress.secondsLeft == nil)
    count(.done, 3)
    count(.failed, 1)
    let progress = tally.progress
    #expect(progress.finished == 64 && progress.skipped == 60 && progress.failed == 1)
    // Four took so long, thirty-six are left; the clock goes on between both numbers.
    let left = try #require(progress.secondsLeft)
    #expect(left / progress.seconds > 8.5)
  }
}
