/// A pattern for names: `*` stands for any text, `?` for one character, all else for itself in
/// either case.
struct Glob: Sendable, Hashable {
  private let pattern: [Character]

  /// The pattern as it was written.
  let text: String

  init(_ text: String) {
    self.text = text
    pattern = Array(text.lowercased())
  }

  /// How many characters stand for themselves.
  var literals: Int { pattern.count { $0 != "*" && $0 != "?" } }

  /// Whether all of `name` fits. Goes back to the last `*` only: no pattern takes longer than the
  /// product of the lengths.
  func matches(_ name: String) -> Bool {
    let name = Array(name.lowercased())
    var at = 0
    var place = 0
    var back: (pattern: Int, name: Int)?
    while place < name.count {
      if at < pattern.count, pattern[at] == "*" {
        back = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[place] {
        at += 1
        place += 1
      } else if let last = back {
        back = (last.pattern, last.name + 1)
        at = last.pattern + 1
        place = last.name + 1
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
