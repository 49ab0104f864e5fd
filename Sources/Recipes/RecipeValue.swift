/// A piece of a recipe as it stands in a document, before anything is known of its meaning: what
/// JSON can hold and the part of YAML that is the same. Keeps what this version does not know.
public enum RecipeValue: Sendable, Hashable {
  /// Nothing: in a recipe, the default takes the place of what weaker layers say.
  case null
  /// True or false.
  case bool(Bool)
  /// Any number; whole ones are written without a point.
  case number(Double)
  /// A text.
  case text(String)
  /// Values in order.
  case list([RecipeValue])
  /// Values by key.
  case map([String: RecipeValue])

  /// The value of `key`; nil where there is none or this is no map. Setting one makes this a map.
  public subscript(key: String) -> RecipeValue? {
    get { if case .map(let values) = self { values[key] } else { nil } }
    set {
      var values: [String: RecipeValue] = [:]
      if case .map(let own) = self { values = own }
      values[key] = newValue
      self = .map(values)
    }
  }
}

extension RecipeValue: Codable {
  /// Reads any JSON.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([RecipeValue].self) {
      self = .list(list)
    } else {
      self = .map(try value.decode([String: RecipeValue].self))
    }
  }

  /// Writes the same.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .number(let number):
      if let whole = Int(exactly: number) {
        try value.encode(whole)
      } else {
        try value.encode(number)
      }
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .map(let map): try value.encode(map)
    }
  }
}
