/// A limit that is the same for every file and on every machine, unlike those of ``DecodeLimits``:
/// a row of the table of its layer. Docs/limits.md shows the tables, and tests compare them.
package struct FixedLimit: Sendable {
  /// What the limit bounds, and why it may be so low.
  private let what: String
  /// The limit for people.
  private let text: String

  /// A number of things, written in groups of three digits.
  package init(_ value: Int, _ what: String) {
    var digits = Array(String(value))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(" ", at: index) }
    (text, self.what) = (String(digits), what)
  }

  /// A number of bytes, written in the largest binary unit that it is a multiple of.
  package init(bytes: Int, _ what: String) {
    let unit = [(30, "GiB"), (20, "MiB"), (10, "KiB")].first { bytes & (1 << $0.0 - 1) == 0 }
    text = unit.map { "\(bytes >> $0.0) \($0.1)" } ?? "\(bytes) bytes"
    self.what = what
  }

  /// `rows` as a table in Markdown.
  package static func table(_ rows: [FixedLimit]) -> String {
    rows.reduce(into: "| limit | what it bounds |\n|---|---|\n") { table, row in
      table += "| \(row.text) | \(row.what) |\n"
    }
  }
}
