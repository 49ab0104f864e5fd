/// A date as part of a name: text with directives of strftime that are the same in every language.
struct DateForm: Sendable, Hashable {
  /// What may stand in a form.
  static let directives = "%Y %y %m %d %H %M %S %j %%"

  private enum Piece: Sendable, Hashable {
    case text(Character)
    case directive(Character)
  }
  private let pieces: [Piece]

  /// nil for a form with other directives, or none of a date.
  init?(_ form: String) {
    var pieces: [Piece] = []
    var rest = Substring(form)
    while let character = rest.popFirst() {
      guard character == "%" else {
        pieces.append(.text(character))
        continue
      }
      guard let directive = rest.popFirst(), "YymdHMSj%".contains(directive) else { return nil }
      pieces.append(directive == "%" ? .text("%") : .directive(directive))
    }
    guard pieces.contains(where: { if case .directive = $0 { true } else { false } }) else {
      return nil
    }
    self.pieces = pieces
  }

  /// The date of an Exif text, `YYYY:MM:DD HH:MM:SS`; nil for none, and for days that are not.
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
    return pieces.reduce(into: "") { text, piece in
      func append(_ number: Int, digits: Int) {
        let plain = String(number)
        text += String(repeating: "0", count: max(0, digits - plain.count)) + plain
      }
      switch piece {
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
