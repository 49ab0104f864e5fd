import RawFilter

/// One key of a recipe. Checks, the JSON Schema, the reference page and `rawdev recipe init` are
/// made from the table of all (``all``).
public struct RecipeKey: Sendable, Hashable, Codable {
  /// The type of a value.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A number within `minimum`…`maximum`.
    case number
    /// An integer within `minimum`…`maximum`.
    case integer
    /// true or false.
    case toggle
    /// A text; where there are choices, one of them.
    case text
    /// A list of `count` numbers, or nil for any number of them, each within `minimum`…`maximum`.
    case numbers
    /// A list of `count` integers.
    case integers
    /// A text or a list of texts.
    case texts
    /// A chromaticity: a map of x and y.
    case point
    /// A list of `count` chromaticities.
    case points
    /// A number, or a list of both ends of a range; either may be null.
    case range
    /// A list of maps with keys of their own.
    case rules
  }

  /// Keys from the root, with dots between them; `*` is the name of an output.
  public private(set) var path: String
  /// The type of a value.
  public let kind: Kind
  /// Smallest number; nil for none.
  public let minimum: Double?
  /// Largest number; nil for none.
  public let maximum: Double?
  /// Length of a list; nil for any, and where the value is no list.
  public let count: Int?
  /// The texts or integers that it takes; empty for any.
  public let choices: [String]
  /// Other accepted texts, and the choices that they mean.
  public internal(set) var otherNames: [String: String] = [:]
  /// Unit of the number; empty for none.
  public let unit: String
  /// The default, in words where it is not one fixed value.
  public let standard: String
  /// Its effect, in one sentence without its period.
  public let summary: String
  /// Other settings that it depends on or changes, in sentences; may be empty.
  public let interplay: String

  init(
    _ path: String, _ kind: Kind, _ range: ClosedRange<Double>? = nil, from minimum: Double? = nil,
    count: Int? = nil, choices: [String] = [], unit: String = "", standard: String,
    _ summary: String, _ interplay: String = ""
  ) {
    (self.path, self.kind, self.count, self.choices) = (path, kind, count, choices)
    (self.minimum, maximum) = (range?.lowerBound ?? minimum, range?.upperBound)
    (self.unit, self.standard) = (unit, standard)
    (self.summary, self.interplay) = (summary, interplay)
  }

  /// The key of a property of the development.
  init(_ adjustment: Adjustment) {
    let property = adjustment.property
    path = "raw.\(property.name)"
    kind =
      switch property.kind {
      case .number: adjustment.type is Float.Type ? .number : .integer
      case .toggle: .toggle
      case .name: .text
      case .points: .numbers
      case .pair: adjustment.type is NumberPair<Double>.Type ? .numbers : .integers
      }
    count = property.kind == .pair ? 2 : nil
    // The decimal number, not the Double nearest to the Float.
    minimum = property.minimum.flatMap { Double("\($0)") }
    maximum = property.maximum.flatMap { Double("\($0)") }
    (choices, unit, standard) = (property.choices, property.unit, property.standard)
    (summary, interplay) = (property.summary, property.interplay)
  }

  /// The same key in `group`.
  func inside(_ group: String) -> RecipeKey {
    var key = self
    key.path = "\(group).\(path)"
    return key
  }

  /// The last part of the path.
  public var name: String { path.split(separator: ".").last.map(String.init) ?? "" }

  /// The path, with the name of an output instead of `*`.
  func path(output: String) -> RecipePath {
    RecipePath(path.split(separator: ".").map { .key($0 == "*" ? output : String($0)) })
  }

  /// The default as a value that can be written into a recipe; nil where it depends on the file or
  /// the output.
  public var standardValue: RecipeValue? {
    switch kind {
    case .toggle: standard == "on" ? .bool(true) : standard == "off" ? .bool(false) : nil
    case .number, .integer: Double(standard).map { .number($0) }
    case .text: choices.contains(standard) ? .text(standard) : nil
    default: nil
    }
  }

  /// The range of numbers between two bounds, `16 to 1024 pixels`; empty without such.
  var range: String {
    guard let minimum, let maximum else { return "" }
    return "\(RecipeText.number(minimum)) to \(RecipeText.number(maximum))"
      + (unit.isEmpty ? "" : " \(unit)")
  }

  /// Type and range, as text: `a number from 0 to 1`.
  public var takes: String {
    if !choices.isEmpty { return choices.joined(separator: ", ") }
    let unit = unit.isEmpty ? "" : " \(unit)"
    let bounds =
      if !range.isEmpty {
        " from \(range)"
      } else if let minimum {
        " of \(RecipeText.number(minimum)) or more\(unit)"
      } else {
        unit
      }
    switch kind {
    case .number: return "a number" + bounds
    case .integer: return "an integer" + bounds
    case .toggle: return "true or false"
    case .text: return "a text"
    case .numbers: return "a list of \(count.map { "\($0) " } ?? "")numbers" + bounds
    case .integers: return "a list of \(count ?? 0) integers" + bounds
    case .texts: return "a text or a list of texts"
    case .point: return "x and y, as {x: 0.3127, y: 0.329}"
    case .points: return "a list of \(count ?? 0) maps of x and y"
    case .range: return "a number, or a list of two, null for no bound"
    case .rules: return "a list of rules"
    }
  }

  /// The help of an option that sets it.
  func help(default standard: String? = nil) -> String {
    [
      summary + (range.isEmpty ? "." : ", \(range)."), interplay,
      "(default: \(standard ?? self.standard))",
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Why a number is invalid; nil where it is valid, and for other values.
  func refusal(of value: some RecipeSettingValue) -> String? {
    guard let number = value.number, let minimum, let maximum,
      !(minimum...maximum).contains(number)
    else { return nil }
    return "\(name) is \(value); it takes \(range)"
  }
}
