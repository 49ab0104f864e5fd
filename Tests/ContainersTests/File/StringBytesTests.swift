import Testing

@testable import Containers

/// Texts are their bytes.
@Suite struct StringBytesTests {
  /// Marks that combine with one letter, in an order that Unicode changes.
  static let marks = String(repeating: "\u{301}\u{323}", count: 200)

  @Test func textsAreTheirBytes() {
    let (one, two) = ("\u{E9}", "e\u{301}")
    #expect(one == two && !one.isSame(as: two) && one.isSame(as: "\u{E9}"))
    #expect(!"Canon".isSame(as: "Canon" + Self.marks) && !"Canon".isSame(as: "Cano"))
    #expect(two.begins(with: "e") && !one.begins(with: "e") && one.begins(with: ""))
    #expect(("ab" + Self.marks).begins(with: "ab") && !"a".begins(with: "ab"))
  }

  @Test func hashesFollowTheBytes() {
    func hash(_ text: String) -> Int {
      var hasher = Hasher()
      text.hashBytes(into: &hasher)
      return hasher.finalize()
    }
    #expect(hash("\u{E9}") != hash("e\u{301}") && hash("") != hash("\0"))
    #expect(hash("12345678" + Self.marks) == hash("1234" + "5678" + Self.marks))
  }

  @Test func bytesAreFoundContiguously() {
    func contains(_ bytes: String, _ text: String) -> Bool {
      Array(bytes.utf8)[...].contains(subsequence: text)
    }
    #expect(contains("ababc", "abc") && contains("abc", "abc") && contains("a", ""))
    #expect(!contains("ab ab", "abc") && !contains("", "a"))
    #expect(!Array("ababc".utf8).dropLast()[...].contains(subsequence: "abc"))
    // Neither preceding flags nor a following combining mark make it another text.
    let flags = String(repeating: "\u{1F1E6}", count: 500)
    #expect(contains(flags + "abc" + Self.marks, "abc") && !contains(flags, "abc"))
  }
}
