import Testing

@testable import Batch

@Suite struct BatchTallyTests {
  /// Skipped sources took no time, and predict nothing about the rest.
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
    // Four took this long, thirty-six are left; the clock advances between both numbers.
    let left = try #require(progress.secondsLeft)
    #expect(left / progress.seconds > 8.5)
  }
}
