import TestSupport
import Testing

@testable import Containers

@Suite struct FormatLimitsTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(FormatLimits.rows) == nil)
  }
}
