import Foundation
import Testing

@testable import Batch

/// Moments of reports.
@Suite struct ReportTimeTests {
  /// Foundation's own reading of ISO 8601 is the truth; before 1582 it counts in the Julian
  /// calendar.
  @Test(arguments: 0..<200) func agreesWithFoundation(seed: UInt64) throws {
    var chance = SampleReports(seed: seed)
    let moment = Double(Int.random(in: -12_000_000_000..<250_000_000_000, using: &chance))
    let text = Date(timeIntervalSince1970: moment).formatted(.iso8601)
    #expect(ReportTime.seconds(text) == moment)
    let words = text.prefix(16).replacing("T", with: " ") + " UTC"
    #expect(ReportTime.shown(text) == words)
  }

  @Test func formsOfTheSameTime() {
    let moment = 1_770_000_000.0
    for text in [
      "2026-02-02T02:40:00Z", "2026-02-02t02:40:00", "2026-02-02 02:40:00.000z",
      "2026-02-02T04:10:00+01:30", "2026-02-01T21:40:00-0500", "2026-02-02T03:40:00+01",
    ] {
      #expect(ReportTime.seconds(text) == moment, "\(text)")
    }
    #expect(abs((ReportTime.seconds("2026-02-02T02:40:00.250Z") ?? 0) - moment - 0.25) < 1e-6)
  }

  @Test func textsThatAreNoTimes() {
    for text in [
      "", "yesterday", "2026", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00Zulu", "2026-01-01",
      "2026-01-01T00:00:00+1", "２026-01-01T00:00:00Z", "2026-01-01T00:00:00.1.2Z",
      "-001-01-01T00:00:00Z",
    ] {
      #expect(ReportTime.seconds(text) == nil, "\(text)")
      #expect(ReportTime.shown(text) == text)
    }
  }
}
