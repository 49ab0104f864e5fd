import Testing

@testable import Tuning

@Suite struct ScanScheduleTests {
  private let start = ContinuousClock.now

  /// A schedule of a folder that took `time` to list, and when that was.
  private func schedule(
    _ time: Duration, _ change: TuningFolder.Change
  ) -> (ScanSchedule, ContinuousClock.Instant) {
    var schedule = ScanSchedule()
    schedule.scanned(from: start, to: start + time, found: change)
    return (schedule, start + time)
  }

  @Test func aSmallFolderIsListedWhenItChanges() {
    let (schedule, end) = schedule(.milliseconds(5), .nothing)
    #expect(schedule.isDue(true, at: end + .milliseconds(50)))
    #expect(!schedule.isDue(false, at: end + .seconds(4)))
    #expect(schedule.isDue(false, at: end + .seconds(5)))
  }

  @Test func whatChangesIsListedAgainSoon() {
    let (schedule, end) = schedule(.milliseconds(5), .entries)
    #expect(!schedule.isDue(false, at: end + .milliseconds(900)))
    #expect(schedule.isDue(false, at: end + .seconds(1)))
  }

  @Test(arguments: [TuningFolder.Change.nothing, .list])
  func aLargeFolderTakesASmallPartOfTheTime(change: TuningFolder.Change) {
    let (schedule, end) = schedule(.seconds(1), change)
    #expect(!schedule.isDue(true, at: end + .seconds(9)))
    #expect(schedule.isDue(true, at: end + .seconds(10)))
    #expect(schedule.isDue(false, at: end + .seconds(11)) == (change == .list))
    #expect(schedule.isDue(false, at: end + .seconds(50)))
  }
}
