import Foundation
import Testing

@testable import Readers

@Suite struct FileDamageTests {
  /// Docs/limits.md shows the table as it is.
  @Test func theTableIsDocumented() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Docs/limits.md"), encoding: .utf8)
    var lines = ["| damage | `show` | `whole` |", "|---|---|---|"]
    for damage in FileDamage.allCases {
      let rule = damage.rule
      lines.append("| \(rule.what) | \(rule.show.rawValue) | \(rule.whole.rawValue) |")
    }
    let table = lines.joined(separator: "\n") + "\n\n"
    #expect(page.contains(table), "the section Damaged files takes:\n\(table)")
  }
}
