import TestSupport
import Testing

@testable import TuningServer

@Suite struct TuningLimitsTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(TuningLimits.rows) == nil)
  }
}
