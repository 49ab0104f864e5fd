/// The format of a date in a name: text with the directives of strftime that do not depend on the
/// locale.
struct DateForm: Sendable, Hashable {
  /// The directives, for messages.
  static let directives = "%Y %y %m %d %H %M %S %j %%"

  private enum Element: Sendable, Hashable {
    case text(Character)
    case directive(Character)
  }
  private let elements: [Element]

  /// Parses a format; nil where it has other directives, or none.
  init?(_ form: String) {
    var elements: [Element] = []
    var rest = Substring(form)
    while let character = rest.popFirst() {
      guard character == "%" else {
        elements.append(.text(character))
        continue
      }
      guard let directive = rest.popFirst(), "YymdHMSj%".contains(directive) else { return nil }
      elements.append(directive == "%" ? .text("%") : .directive(directive))
    }
    guard elements.contains(where: { if case .directive = $0 { true } else { false } }) else {
      return nil
    }
    self.elements = elements
  }

  /// A date of Exif, `YYYY:MM:DD HH:MM:SS`, in this format; nil for nil and for invalid dates.
  func text(_ exif: String?) -> String? {
    let numbers = (exif ?? "").prefix(19).split(whereSeparator: { ": -T".contains($0) }).map {
      Int($0)
    }
    let parts = numbers.compactMap(\.self)
    guard parts.count == numbers.count, parts.count == 3 || parts.count == 6 else { return nil }
    let time = parts.count == 6 ? Array(parts[3...]) : [0, 0, 0]
    let (year, month, day) = (parts[0], parts[1], parts[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...lengths[month - 1]).contains(day),
      (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    return elements.reduce(into: "") { text, element in
      func append(_ number: Int, digits: Int) {
        let plain = String(number)
        text += String(repeating: "0", count: max(0, digits - plain.count)) + plain
      }
      switch element {
      case .text(let character): text.append(character)
      case .directive("Y"): append(year, digits: 4)
      case .directive("y"): append(year % 100, digits: 2)
      case .directive("m"): append(month, digits: 2)
      case .directive("d"): append(day, digits: 2)
      case .directive("H"): append(time[0], digits: 2)
      case .directive("M"): append(time[1], digits: 2)
      case .directive("S"): append(time[2], digits: 2)
      case .directive: append(lengths[..<(month - 1)].reduce(day, +), digits: 3)
      }
    }
  }
}
