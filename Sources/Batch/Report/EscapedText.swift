/// Untrusted text – file names, messages of decoders – escaped for one line of a page or a
/// terminal: characters that are invisible or change how the rest is shown – line feeds, escapes,
/// right-to-left overrides – are written as code points, `[U+000A]`, `[U+202E]`. Joiners stay,
/// since names in Persian and emoji need them.
package enum EscapedText {
  /// `text` escaped, with an ellipsis after `longest` characters; with `keepsLines` its line feeds
  /// and tabs stay.
  package static func of(
    _ text: String, longest: Int = 2000, keepsLines: Bool = false
  ) -> String {
    var result = String.UnicodeScalarView()
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == longest {
        result.append("…")
        break
      }
      if isPlain(scalar) || keepsLines && (scalar == "\n" || scalar == "\t") {
        result.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(4 - digits.count, 0))
        result.append(contentsOf: "[U+\(zeros)\(digits)]".unicodeScalars)
      }
    }
    return String(result)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate:
      return scalar.value == 0x200C || scalar.value == 0x200D
    default: return true
    }
  }
}
