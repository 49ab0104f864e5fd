import Testing

@testable import Batch

/// Text of strangers on one line.
@Suite struct EscapedTextTests {
  @Test func examples() {
    #expect(EscapedText.of("IMG 1.dng") == "IMG 1.dng")
    #expect(
      EscapedText.of("a\nb\u{1b}[2J\u{202e}c\r\n")
        == "a[U+000A]b[U+001B][2J[U+202E]c[U+000D][U+000A]")
    #expect(EscapedText.of("日本 🏔 👩‍🚀 שלום é") == "日本 🏔 👩‍🚀 שלום é")
    #expect(EscapedText.of("abcdef", longest: 3) == "abc…")
    #expect(EscapedText.of("abc", longest: 3) == "abc")
  }

  /// Characters that move a cursor, break a line or change the text direction are removed from any
  /// text; plain text stays unchanged.
  @Test(arguments: 0..<200) func anyText(seed: UInt64) {
    var chance = SampleReports(seed: seed)
    let shown = EscapedText.of(chance.text())
    for scalar in shown.unicodeScalars where scalar.value != 0x200C && scalar.value != 0x200D {
      let isInvisible = [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned]
        .contains(
          scalar.properties.generalCategory)
      #expect(!isInvisible, "\(scalar.value)")
    }
    #expect(EscapedText.of(shown) == shown)
  }

  @Test func linesAreKeptWhereWanted() {
    let text = "a\n\tb\u{1B}[2J\u{9B}c"
    #expect(EscapedText.of(text, keepsLines: true) == "a\n\tb[U+001B][2J[U+009B]c")
  }
}
