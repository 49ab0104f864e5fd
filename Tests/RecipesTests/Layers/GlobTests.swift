import Testing

@testable import Recipes

@Suite struct GlobTests {
  @Test(arguments: [
    ("Canon*", "CANON EOS 5D", true), ("*5D*", "Canon EOS 5D Mark III", true), ("*", "", true),
    ("", "", true), ("", "a", false), ("a?c", "abc", true), ("a?c", "ac", false),
    ("*b", "abab", true),
    ("a*b*c", "axxbyyc", true), ("a*b*c", "axxcyyb", false), ("é*", "Été", true),
    ("[a]", "[A]", true),
    ("**a**", "a", true), ("a", "aa", false),
  ])
  func matches(pattern: String, name: String, fits: Bool) {
    #expect(Glob(pattern).matches(name) == fits)
  }

  /// Patterns that take exponential time in a matcher that backtracks fully.
  @Test func hostilePatternsEnd() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2000)))
  }
}
