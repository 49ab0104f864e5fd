import Foundation
import RawFilter
import Recipes

/// The properties for the page: all of `RAWProperty`, with their position in the panel and the step
/// of their numbers.
enum PropertyList {
  /// A group of controls.
  struct Group: Encodable, Sendable {
    var id: String
    var title: String
  }

  /// A property with its position in the panel.
  struct Item: Encodable, Sendable {
    var property: RAWProperty
    var place: PanelEntry
    /// Change of its number by one key press; nil for values that are not numbers.
    var numberStep: Double?

    private enum Key: String, CodingKey { case group, family, words, numberStep }

    func encode(to encoder: any Encoder) throws {
      try property.encode(to: encoder)
      var keys = encoder.container(keyedBy: Key.self)
      try keys.encode(place.group.rawValue, forKey: .group)
      try keys.encodeIfPresent(place.family, forKey: .family)
      try keys.encode(place.words, forKey: .words)
      try keys.encodeIfPresent(numberStep, forKey: .numberStep)
    }
  }

  /// A format of developed files.
  struct Format: Encodable, Sendable {
    var name: String
    var isHDR: Bool
    var `extension`: String
  }

  /// The groups, in the order of the work.
  static let groups = PanelEntry.Group.allCases.map { Group(id: $0.rawValue, title: $0.title) }

  /// The properties, in the order of the panel.
  static let properties: [Item] = {
    let rows = Dictionary(Adjustment.all.map { ($0.name, $0) }) { first, _ in first }
    return PanelEntry.all.compactMap { place in
      rows[place.name].map { Item(property: $0.property, place: place, numberStep: step(of: $0)) }
    }
  }()

  /// The formats that raws are developed into.
  static let formats = OutputFormat.allCases.filter(\.isDeveloped).map { format in
    var output = Recipe.Output()
    output.format = format
    return Format(
      name: format.rawValue, isHDR: output.isHDR, extension: format.pathExtension)
  }

  private static func step(of row: Adjustment) -> Double? {
    let property = row.property
    guard property.kind == .number, let minimum = property.minimum, let maximum = property.maximum
    else { return nil }
    // Codes are integers.
    if case .code = row.accessor { return 1 }
    switch property.unit {
    case "stops": return 0.05
    case "K": return 50
    default:
      // A power of ten, a hundred and more of them over the range.
      let power = (log10(Double(maximum - minimum) / 100 * 1.001)).rounded(.down)
      return power < 0 ? 1 / pow(10, -power) : pow(10, power)
    }
  }
}
