import Foundation
import RawFilter
import Recipes

/// The properties for the page: all of `RAWProperty`, with their position in the panel and
/// how their numbers are shown.
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

    private enum Key: String, CodingKey { case group, family, words, display }

    func encode(to encoder: any Encoder) throws {
      try property.encode(to: encoder)
      var keys = encoder.container(keyedBy: Key.self)
      try keys.encode(place.group.rawValue, forKey: .group)
      try keys.encodeIfPresent(place.family, forKey: .family)
      try keys.encode(place.words, forKey: .words)
      try keys.encodeIfPresent(place.display, forKey: .display)
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
  static let properties = PanelEntry.all.compactMap { place in
    RAWProperty.named(place.name).map { Item(property: $0, place: place) }
  }

  /// The formats that raws are developed into.
  static let formats = OutputFormat.allCases.filter(\.isDeveloped).map { format in
    var output = Recipe.Output()
    output.format = format
    return Format(
      name: format.rawValue, isHDR: output.isHDR, extension: format.pathExtension)
  }
}
