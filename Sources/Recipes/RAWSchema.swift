import RawFilter

/// The table of properties as a JSON Schema (draft 2020-12, https://json-schema.org/specification).
struct RAWSchema: Encodable {
  private struct Value: Encodable {
    var type: [String]
    var description: String
    var `enum`: [String?]?
    var minimum: Float?
    var maximum: Float?
    var items: Item?
    var minItems: Int?
    var maxItems: Int?
  }
  private struct Item: Encodable { var type = "number" }

  private let title = "rawdev: settings of a raw's development"
  private let type = "object"
  private let properties = Dictionary(
    uniqueKeysWithValues: RAWProperty.all.map { ($0.name, Self.value($0)) })

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case title, type, properties
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("https://json-schema.org/draft/2020-12/schema", forKey: .schema)
    try values.encode(title, forKey: .title)
    try values.encode(type, forKey: .type)
    try values.encode(properties, forKey: .properties)
  }

  /// null stands for the default.
  private static func value(_ property: RAWProperty) -> Value {
    let type =
      switch property.kind {
      case .number: property.name == "orientation" ? "integer" : "number"
      case .toggle: "boolean"
      case .name: "string"
      case .pair: "array"
      }
    let isPair = property.kind == .pair
    return Value(
      type: [type, "null"],
      description: ([property.summary + ".", property.interplay, "Default: \(property.standard)."])
        .filter { !$0.isEmpty }.joined(separator: " "),
      enum: property.choices.isEmpty ? nil : property.choices + [nil],
      minimum: property.minimum, maximum: property.maximum, items: isPair ? Item() : nil,
      minItems: isPair ? 2 : nil, maxItems: isPair ? 2 : nil)
  }
}
