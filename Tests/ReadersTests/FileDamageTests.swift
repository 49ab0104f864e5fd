import TestSupport
import Testing

@testable import Readers

@Suite struct FileDamageTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    var lines = ["| damage | `show` | `whole` |", "|---|---|---|"]
    for damage in FileDamage.allCases {
      let rule = damage.rule
      lines.append("| \(rule.what) | \(rule.show.rawValue) | \(rule.whole.rawValue) |")
    }
    let table = lines.joined(separator: "\n") + "\n\n"
    #expect(try LimitsPage.text().contains(table), "the section Damaged files takes:\n\(table)")
  }
}
