import RawDecode

/// The description of one adjustable property. The help of the command, the report of `rawdev
/// info`, the schema of recipes and `Docs/properties.md` are made from the table of all.
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
  /// Its name for people who develop by eye.
  public let title: String
  /// What a value is.
  public let kind: Kind
  /// Smallest value; nil unless a number.
  public let minimum: Float?
  /// Largest value; nil unless a number.
  public let maximum: Float?
  /// The texts that it takes; empty for any.
  public let choices: [String]
  /// A text that it takes, where not every text is one; else empty.
  public let example: String
  /// Unit of the number; empty for none.
  public let unit: String
  /// The value at which it does nothing.
  public let neutral: String
  /// The value unless set.
  public let standard: String
  /// What it does, in one sentence without its period.
  public let summary: String
  /// What else it depends on or changes; empty for nothing.
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

  /// The values it takes, as text.
  public var range: String {
    guard let minimum, let maximum else { return choices.joined(separator: ", ") }
    return (kind == .points ? "points of " : "") + "\(Self.text(minimum)) to \(Self.text(maximum))"
      + (unit.isEmpty ? "" : " \(unit)")
  }

  /// A number as people write it.
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
