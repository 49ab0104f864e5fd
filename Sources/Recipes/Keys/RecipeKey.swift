import RawFilter

/// What there is to say of one key of a recipe: said here, once. Checks, the JSON Schema, the
/// reference page and `rawdev recipe init` are made from this table; the keys of `raw` are those of
/// `RAWProperty`.
public struct RecipeKey: Sendable, Hashable, Codable {
  /// What a value is.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A number within `minimum`…`maximum`.
    case number
    /// A whole number within `minimum`…`maximum`.
    case integer
    /// true or false.
    case toggle
    /// A text; where there are choices, one of them.
    case text
    /// As many numbers as `count` says, each within `minimum`…`maximum`.
    case numbers
    /// As many whole numbers as `count` says.
    case integers
    /// Texts, or one.
    case texts
    /// A chromaticity: a map of x and y.
    case point
    /// As many chromaticities as `count` says.
    case points
    /// A number, or two between which numbers lie, null for no end.
    case range
    /// A list of maps with keys of their own.
    case rules
  }

  /// Where it stands; `*` is the name of an output.
  public let path: String
  /// What a value is.
  public let kind: Kind
  /// Smallest value; nil for none.
  public let minimum: Double?
  /// Largest value; nil for none.
  public let maximum: Double?
  /// How many numbers a list has; nil for no list.
  public let count: Int?
  /// The texts, or whole numbers, that it takes; empty for any.
  public let choices: [String]
  /// Unit of the number; empty for none.
  public let unit: String
  /// The value unless set, in words.
  public let standard: String
  /// What it does, in one sentence without its period.
  public let summary: String
  /// What else it depends on or changes; empty for nothing.
  public let interplay: String

  init(
    _ path: String, _ kind: Kind, _ range: ClosedRange<Double>? = nil, from minimum: Double? = nil,
    count: Int? = nil, choices: [String] = [], unit: String = "", standard: String,
    _ summary: String, _ interplay: String = ""
  ) {
    self.path = path
    self.kind = kind
    self.minimum = range?.lowerBound ?? minimum
    self.maximum = range?.upperBound
    self.count = count
    self.choices = choices
    self.unit = unit
    self.standard = standard
    self.summary = summary
    self.interplay = interplay
  }

  /// A property of the development.
  init(_ adjustment: Adjustment) {
    let property = adjustment.property
    path = "raw.\(property.name)"
    kind =
      switch property.kind {
      case .number: adjustment.type is Float.Type ? .number : .integer
      case .toggle: .toggle
      case .name: .text
      case .pair: adjustment.type is NumberPair<Double>.Type ? .numbers : .integers
      }
    count = property.kind == .pair ? 2 : nil
    // As it is written, not as the nearest Double of a Float.
    minimum = property.minimum.flatMap { Double("\($0)") }
    maximum = property.maximum.flatMap { Double("\($0)") }
    choices = property.choices
    unit = property.unit
    standard = property.standard
    summary = property.summary
    interplay = property.interplay
  }

  /// The last part of the path.
  public var name: String {
    String(path[(path.lastIndex(of: ".").map(path.index(after:)) ?? path.startIndex)...])
  }

  /// The value unless set, where the same value can be written into a recipe; nil where it depends
  /// on the file or the output.
  public var standardValue: RecipeValue? {
    switch kind {
    case .toggle: standard == "on" ? .bool(true) : standard == "off" ? .bool(false) : nil
    case .number, .integer: Double(standard).map { .number($0) }
    case .text: choices.contains(standard) ? .text(standard) : nil
    default: nil
    }
  }

  /// What it takes, as text: `a number from 0 to 1`.
  public var takes: String {
    let range: String
    switch (minimum, maximum) {
    case (let low?, let high?):
      range = " from \(RecipeText.number(low)) to \(RecipeText.number(high))"
    case (let low?, nil): range = " of \(RecipeText.number(low)) or more"
    case (nil, let high?): range = " up to \(RecipeText.number(high))"
    case (nil, nil): range = ""
    }
    let bounds = range + (unit.isEmpty ? "" : " \(unit)")
    if !choices.isEmpty { return choices.joined(separator: ", ") }
    switch kind {
    case .number: return "a number" + bounds
    case .integer: return "a whole number" + bounds
    case .toggle: return "true or false"
    case .text: return "a text"
    case .numbers: return "a list of \(count ?? 0) numbers" + bounds
    case .integers: return "a list of \(count ?? 0) whole numbers" + bounds
    case .texts: return "a text or a list of texts"
    case .point: return "x and y, as {x: 0.3127, y: 0.329}"
    case .points: return "a list of \(count ?? 0) maps of x and y"
    case .range: return "a number or two, null for no end"
    case .rules: return "a list of rules"
    }
  }
}
