/// Limits runs of combining marks in untrusted text.
///
/// Swift compares and hashes texts by their normal form, for which it sorts each run of combining
/// marks in quadratic time. Source of the bound: Unicode Standard Annex #15, "Stream-Safe Text
/// Format", where a run has at most 30; no language has as many.
enum CombiningMarks {
  /// The message for a text with a longer run.
  static let refusal =
    "a character has more than \(RecipeLimits.combiningMarks) combining marks; leave some out"

  /// Whether `text`, plain or as JSON or YAML, has a longer run. An escape `\u` or `\U` counts as
  /// its character; escapes themselves are no marks, so any text may be checked.
  static func areTooMany(in text: some Sequence<Unicode.Scalar>) -> Bool {
    var marks = Marks()
    var escape: (digits: Int, value: UInt32)?
    var (isEscaped, isFolded) = (false, false)
    for scalar in text {
      if let open = escape {
        if let digit = Character(scalar).hexDigitValue, scalar.isASCII {
          let value = open.value << 4 | UInt32(digit)
          escape = open.digits > 1 ? (open.digits - 1, value) : nil
          if escape == nil, marks.exceed(with: value) { return true }
          continue
        }
        escape = nil
      }
      // Lines of YAML that end in a backslash are one with the next.
      if isFolded, isSpace(scalar) { continue }
      isFolded = false
      if isEscaped {
        isEscaped = false
        if scalar == "u" || scalar == "U" {
          escape = (scalar == "u" ? 4 : 8, 0)
          continue
        }
        isFolded = isSpace(scalar)
        if isFolded { continue }
      } else if scalar == "\\" {
        isEscaped = true
        continue
      }
      if marks.exceed(with: scalar.value) { return true }
    }
    return false
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    [0x09, 0x0A, 0x0D, 0x20, 0x85, 0x2028, 0x2029].contains(scalar.value)
  }

  private struct Marks {
    private var run = 0
    /// The first half of a surrogate pair.
    private var high: UInt32?

    /// Takes the next character, or a half of one.
    mutating func exceed(with code: UInt32) -> Bool {
      var code = code
      if 0xD800..<0xDC00 ~= code {
        high = code
        return false
      }
      if let first = high, 0xDC00..<0xE000 ~= code {
        code = 0x10000 + (first - 0xD800) << 10 + (code - 0xDC00)
      }
      high = nil
      // No combining mark is below U+0300.
      guard code >= 0x300, let scalar = Unicode.Scalar(code),
        scalar.properties.canonicalCombiningClass != .notReordered
      else {
        run = 0
        return false
      }
      run += 1
      return run > RecipeLimits.combiningMarks
    }
  }
}
