import TestSupport
import Testing

@testable import Batch

@Suite struct BatchLimitsTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(BatchLimits.rows) == nil)
  }
}
