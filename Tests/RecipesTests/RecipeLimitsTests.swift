import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeLimitsTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    #expect(try LimitsPage.missing(RecipeLimits.rows) == nil)
  }
}
