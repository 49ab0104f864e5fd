import TestSupport
import Testing

@testable import RawDecode

@Suite struct RawDecodeLimitsTests {
  /// Docs/limits.md contains the table.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(RawDecodeLimits.rows) == nil)
  }
}
