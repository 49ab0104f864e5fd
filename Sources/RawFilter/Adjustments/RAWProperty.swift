import RawDecode

/// The description of one adjustable property. The command's help, `rawdev info`, the JSON Schema
/// of recipes and `Docs/properties.md` are generated from the table of all properties.
public struct RAWProperty: Sendable, Hashable, Codable {
  /// What a value is.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A number within `minimum`…`maximum`.
    case number
    /// On or off.
    case toggle
    /// A text.
    case name
    /// Two numbers.
    case pair
    /// Points of a curve: two numbers each, all in one list.
    case points
  }

  /// Its name in Swift and in recipes: CIRAWFilter's where that has the property.
  public let name: String
  /// Its title in user interfaces.
  public let title: String
  /// What a value is.
  public let kind: Kind
  /// Smallest value; nil unless a number.
  public let minimum: Float?
  /// Largest value; nil unless a number.
  public let maximum: Float?
  /// The allowed texts; empty for any.
  public let choices: [String]
  /// An example of a valid text, if not all texts are valid; else empty.
  public let example: String
  /// Unit of the number; empty for none.
  public let unit: String
  /// The value at which it does nothing.
  public let neutral: String
  /// The default value.
  public let standard: String
  /// What it does, in one sentence without its period.
  public let summary: String
  /// Interaction with other properties; may be empty.
  public let interplay: String

  init(
    _ name: String, _ kind: Kind, _ range: ClosedRange<Float>? = nil, choices: [String] = [],
    example: String = "", unit: String = "", neutral: String, standard: String, _ summary: String,
    interplay: String = ""
  ) {
    self.name = name
    title = PanelEntry.titles[name] ?? name
    self.kind = kind
    minimum = range?.lowerBound
    maximum = range?.upperBound
    self.choices = choices
    self.example = example
    self.unit = unit
    self.neutral = neutral
    self.standard = standard
    self.summary = summary
    self.interplay = interplay
  }

  /// Its option on the command line, without the dashes.
  public var option: String {
    let isToggle = name.hasPrefix("is") && name.hasSuffix("Enabled")
    let stem = isToggle ? name.dropFirst(2).dropLast(7) : Substring(name)
    return stem.reduce(into: "") { text, letter in
      if letter.isUppercase {
        text += (text.isEmpty ? "" : "-") + letter.lowercased()
      } else {
        text.append(letter)
      }
    }
  }

  /// The allowed values, as text.
  public var range: String {
    guard let minimum, let maximum else { return choices.joined(separator: ", ") }
    return (kind == .points ? "points of " : "") + "\(Self.text(minimum)) to \(Self.text(maximum))"
      + (unit.isEmpty ? "" : " \(unit)")
  }

  /// A number without trailing zeros.
  static func text(_ value: Float) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }

  /// One line for the command's help.
  public var help: String {
    summary + (range.isEmpty ? "" : ", \(range)") + ". (default: \(standard))"
  }
}

extension RAWProperty {
  /// The property called `name`.
  public static func named(_ name: String) -> RAWProperty? { all.first { $0.name == name } }

  /// Every adjustable property, in the order of the pipeline.
  public static let all: [RAWProperty] = Adjustment.Stage.allCases.flatMap { stage in
    Adjustment.all.filter { $0.stage == stage }.map(\.property)
  }
}
