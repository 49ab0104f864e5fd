/// One value against what its key takes.
enum KeyValueCheck {
  /// What the value is and what the key takes, `2; it takes a number from 0 to 1`; nil where it
  /// fits.
  static func refusal(_ value: RecipeValue, _ key: RecipeKey) -> String? {
    if value == .null || fits(value, key) { return nil }
    let line = value.line
    // Long values are not for one line.
    let shown = line.utf8.count > 60 ? value.kind : line
    return "\(shown); it takes \(key.takes)\(hint(value, key))"
  }

  /// The value as the typed recipe reads it: names that look like numbers may be written as
  /// numbers.
  static func canonical(_ value: RecipeValue, _ key: RecipeKey) -> RecipeValue {
    if case .number = value, key.kind == .text, key.choices.contains(value.line) {
      return .text(value.line)
    }
    return value
  }

  private static func hint(_ value: RecipeValue, _ key: RecipeKey) -> String {
    guard case .text(let text) = value else { return "" }
    switch key.kind {
    case .toggle where ["yes", "no", "on", "off"].contains(text.lowercased()):
      return " (\(text) is a text)"
    case .number, .integer:
      if Double(text) != nil { return ", without quotes" }
      if Double(text.replacing(",", with: ".")) != nil { return ", with a point" }
      return ""
    default:
      guard !key.choices.isEmpty, text.utf8.count < 48 else { return "" }
      let near = key.choices.min {
        KeySuggestion.edits($0, text.lowercased()) < KeySuggestion.edits($1, text.lowercased())
      }
      return near.flatMap {
        KeySuggestion.edits($0, text.lowercased()) < 4 ? "; did you mean \($0)?" : nil
      }
        ?? ""
    }
  }

  private static func fits(_ value: RecipeValue, _ key: RecipeKey) -> Bool {
    func isInside(_ value: RecipeValue, whole: Bool) -> Bool {
      guard case .number(let number) = value, number.isFinite else { return false }
      // What the typed recipe can hold.
      guard Float(number).isFinite, !whole || Int32(exactly: number) != nil else { return false }
      return number >= key.minimum ?? -.infinity && number <= key.maximum ?? .infinity
    }
    func isPoint(_ value: RecipeValue) -> Bool {
      [value["x"], value["y"]].allSatisfy {
        if case .number(let n)? = $0 { (0...1).contains(n) } else { false }
      }
    }
    switch (key.kind, value) {
    case (.toggle, .bool): return true
    case (.number, _): return isInside(value, whole: false)
    case (.integer, _):
      return isInside(value, whole: true)
        && (key.choices.isEmpty || key.choices.contains(value.line))
    case (.text, .text(let text)): return key.choices.isEmpty || key.choices.contains(text)
    case (.text, .number): return key.choices.contains(value.line)
    case (.numbers, .list(let list)):
      return list.count == key.count && list.allSatisfy { isInside($0, whole: false) }
    case (.integers, .list(let list)):
      return list.count == key.count && list.allSatisfy { isInside($0, whole: true) }
    case (.texts, .text): return true
    case (.texts, .list(let list)):
      return list.allSatisfy { if case .text = $0 { true } else { false } }
    case (.point, .map): return isPoint(value)
    case (.points, .list(let list)): return list.count == key.count && list.allSatisfy(isPoint)
    case (.range, .number): return isInside(value, whole: false)
    case (.range, .list(let list)):
      return list.count == 2 && list.allSatisfy { $0 == .null || isInside($0, whole: false) }
    case (.rules, .list): return true
    default: return false
    }
  }
}
