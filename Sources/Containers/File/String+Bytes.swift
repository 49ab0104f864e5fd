// Text from a file, which may be as long as the file, handled as bytes. `==`, `hasPrefix`, `switch`
// and the hashes of String compare by Unicode equivalence, for which they sort combining marks: a
// run of them costs the square of its length. So does a search within a run of regional indicators
// (flags).

extension String {
  /// Whether the bytes of both are the same.
  package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether its first bytes equal `start`.
  package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

  /// The text before its first NUL.
  package var upToNUL: String { String(decoding: utf8.prefix { $0 != 0 }, as: UTF8.self) }

  /// Hashes the bytes, eight at a time.
  func hashBytes(into hasher: inout Hasher) {
    var (word, count): (UInt64, Int) = (0, 0)
    for byte in utf8 {
      word = word << 8 | UInt64(byte)
      count += 1
      if count % 8 == 0 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(count)
  }
}

extension ArraySlice<UInt8> {
  /// Whether it contains the bytes of `text` as a contiguous sequence.
  package func contains(subsequence text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    var rest = self
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
