extension RecipeKey {
  /// The message against `value`, `2; it takes a number from 0 to 1`; nil where it is valid.
  package func refusal(_ value: RecipeValue) -> String? {
    if value == .null || accepts(value) { return nil }
    return "\(value.brief); it takes \(takes)\(hint(value))"
  }

  /// `value` as the typed recipe reads it: choices that look like numbers may be written as
  /// numbers, `chroma: 420`, and by their other names, `format: jpg`.
  func canonical(_ value: RecipeValue) -> RecipeValue {
    if case .text(let text) = value, let choice = otherNames[text] { return .text(choice) }
    if case .number = value, kind == .text, choices.contains(value.line) {
      return .text(value.line)
    }
    return value
  }

  private func hint(_ value: RecipeValue) -> String {
    guard case .text(let text) = value else { return "" }
    switch kind {
    case .toggle where ["yes", "no", "on", "off"].contains(text.lowercased()):
      return " (\(text) is a text)"
    case .number, .integer:
      if Double(text) != nil { return ", without quotes" }
      return Double(text.replacing(",", with: ".")) != nil ? ", with a point" : ""
    default:
      guard text.utf8.count < 48 else { return "" }
      let near = choices.map { ($0, KeySuggestion.edits($0, text.lowercased())) }
        .min { $0.1 < $1.1 }
      return near.flatMap { $0.1 < 4 ? "; did you mean \($0.0)?" : nil } ?? ""
    }
  }

  private func accepts(_ value: RecipeValue) -> Bool {
    switch (kind, value) {
    case (.toggle, .bool), (.rules, .list), (.texts, .text): true
    case (.number, .number), (.range, .number): isInside(value)
    case (.integer, .number):
      isInside(value, isInteger: true) && (choices.isEmpty || choices.contains(value.line))
    case (.text, .text(let text)):
      choices.isEmpty || choices.contains(text) || otherNames[text] != nil
    case (.text, .number): choices.contains(value.line)
    case (.numbers, .list(let list)):
      list.count == count ?? list.count && list.allSatisfy { isInside($0) }
    case (.integers, .list(let list)):
      list.count == count && list.allSatisfy { isInside($0, isInteger: true) }
    case (.texts, .list(let list)):
      list.allSatisfy { if case .text = $0 { true } else { false } }
    case (.point, .map): Self.isPoint(value)
    case (.points, .list(let list)): list.count == count && list.allSatisfy(Self.isPoint)
    case (.range, .list(let list)):
      list.count == 2 && list.allSatisfy { $0 == .null || isInside($0) }
    default: false
    }
  }

  /// Whether this is a number within the range that the typed recipe can hold.
  private func isInside(_ value: RecipeValue, isInteger: Bool = false) -> Bool {
    guard case .number(let number) = value, Float(number).isFinite else { return false }
    guard !isInteger || Int32(exactly: number) != nil else { return false }
    return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
  }

  private static func isPoint(_ value: RecipeValue) -> Bool {
    [value["x"], value["y"]].allSatisfy {
      if case .number(let number)? = $0 { (0...1).contains(number) } else { false }
    }
  }
}
