/// A pattern for names: `*` matches any text, `?` any one character, other characters themselves in
/// either case.
struct Glob: Sendable, Hashable {
  private let pattern: [Character]

  init(_ text: String) { pattern = Array(text.lowercased()) }

  /// The number of literal characters.
  var literals: Int { pattern.count { $0 != "*" && $0 != "?" } }

  /// Whether it matches all of `name`. Backtracks only to the last `*`, so that the time is at most
  /// the product of the lengths.
  func matches(_ name: String) -> Bool {
    let name = Array(name.lowercased())
    var at = 0
    var position = 0
    var back: (pattern: Int, name: Int)?
    while position < name.count {
      if at < pattern.count, pattern[at] == "*" {
        back = (at, position)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[position] {
        at += 1
        position += 1
      } else if let last = back {
        back = (last.pattern, last.name + 1)
        at = last.pattern + 1
        position = last.name + 1
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
