// Text out of a file, which may be as long as the file, taken as bytes. `==`, `hasPrefix`, `switch`
// and the hashes of String ask what Unicode takes for the same, for which they sort the marks that
// combine with one letter: a run of them costs the square of its length. So does a search within a
// text that is one run of the letters of which flags are made.

extension String {
  /// Whether the bytes of both are the same.
  package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether its first bytes are those of `start`.
  package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

  /// What is in front of its first NUL.
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
  /// Whether the bytes of `text` are among these, one behind the other.
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
