import Foundation
package import ImageCore

/// Docs/limits.md, which shows tables of the sources as they are.
package enum LimitsPage {
  package static func text() throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Docs/limits.md"), encoding: .utf8)
  }

  /// The table of `rows` where the page does not show it, as it is to be put there; else nil.
  package static func missing(_ rows: [FixedLimit]) throws -> String? {
    let table = FixedLimit.table(rows) + "\n"
    return try text().contains("\n\n" + table) ? nil : table
  }
}
