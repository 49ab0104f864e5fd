public import ImageFilters

/// The part of another picture that white or exposure is taken from.
public enum ReferencePatch: Sendable, Hashable {
  /// A part of the upright picture that shows one neutral surface; for exposure 18 % gray.
  case area(CropArea)
  /// The ColorChecker Classic detected in it.
  case chart

  /// The text of ``chart``.
  static let chartName = "chart"

  /// The syntax of the text, for messages.
  static let form = "chart, or x,y,width,height in pixels or percent of the upright picture"
}

/// As text, as in recipes and on the command line.
extension ReferencePatch: Codable, CustomStringConvertible {
  /// The patch that a text names; nil for none.
  public init?(_ text: String) {
    if text == Self.chartName {
      self = .chart
    } else if let area = try? CropArea(text) {
      self = .area(area)
    } else {
      return nil
    }
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let patch = ReferencePatch(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "\(decoder.codingPath.last?.stringValue ?? "this") is \(text.prefix(40)); it takes "
            + Self.form))
    }
    self = patch
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }

  /// The text.
  public var description: String {
    switch self {
    case .chart: Self.chartName
    case .area(let area): area.description
    }
  }
}
