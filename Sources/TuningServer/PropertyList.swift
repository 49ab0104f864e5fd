import Foundation
import RawFilter
import Recipes

/// The properties as the page shows them: all that `RAWProperty` says, in groups, with the step of
/// their numbers.
enum PropertyList {
  /// A group of controls.
  struct Group: Encodable, Sendable {
    var id: String
    var title: String
  }

  /// A property in its group.
  struct Item: Encodable, Sendable {
    var property: RAWProperty
    var group: String
    /// By how much a key changes its number; nil for those that are none.
    var numberStep: Double?

    private enum Key: String, CodingKey { case group, numberStep }

    func encode(to encoder: any Encoder) throws {
      try property.encode(to: encoder)
      var keys = encoder.container(keyedBy: Key.self)
      try keys.encode(group, forKey: .group)
      try keys.encodeIfPresent(numberStep, forKey: .numberStep)
    }
  }

  /// A format of developed files.
  struct Format: Encodable, Sendable {
    var name: String
    var isHDR: Bool
    var `extension`: String
  }

  /// The groups, in the order in which they act.
  static let groups = Adjustment.Stage.allCases.map { Group(id: "\($0)", title: title(of: $0)) }

  /// The properties, in the order of `RAWProperty.all`.
  static let properties: [Item] = {
    let rows = Dictionary(Adjustment.all.map { ($0.name, $0) }) { first, _ in first }
    return RAWProperty.all.compactMap { property in
      rows[property.name].map {
        Item(property: property, group: "\($0.stage)", numberStep: step(of: $0))
      }
    }
  }()

  /// The formats that raws are developed into.
  static let formats = OutputFormat.allCases.filter(\.isDeveloped).map { format in
    var output = Recipe.Output()
    output.format = format
    return Format(
      name: format.rawValue, isHDR: output.isHDR, extension: format.pathExtension)
  }

  private static func title(of stage: Adjustment.Stage) -> String {
    switch stage {
    case .decode: "Decoding"
    case .highlights: "Highlight recovery"
    case .demosaic: "Demosaicing"
    case .noise: "Noise"
    case .lens: "Lens"
    case .size: "Size"
    case .profile: "Camera profile"
    case .white: "White balance"
    case .fileExposure: "Exposure of the file"
    case .localTone: "Local tone"
    case .exposure: "Exposure"
    case .detail: "Sharpness and detail"
    case .light: "Light"
    case .color: "Color"
    case .finish: "Finish"
    case .tone: "Tone and range"
    case .curve: "Curves and look"
    case .frame: "Crop and perspective"
    case .output: "Orientation and version"
    }
  }

  private static func step(of row: Adjustment) -> Double? {
    let property = row.property
    guard property.kind == .number, let minimum = property.minimum, let maximum = property.maximum
    else { return nil }
    // Codes are whole numbers.
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
