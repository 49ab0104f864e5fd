import TestSupport
import Testing

@testable import RawDecode

@Suite struct RawDecodeLimitsTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(RawDecodeLimits.rows) == nil)
  }
}
