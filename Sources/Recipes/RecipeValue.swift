import ImageCore

/// A value of a recipe as written, before it is interpreted: what JSON can hold, and
/// the equivalent part of YAML. Preserves keys that this version does not know.
public enum RecipeValue: Sendable, Hashable {
  /// In a recipe, the default, overriding weaker layers.
  case null
  /// True or false.
  case bool(Bool)
  /// A number; integers are written without a point.
  case number(Double)
  /// A text.
  case text(String)
  /// Values in order.
  case list([RecipeValue])
  /// Values by key.
  case map([String: RecipeValue])

  /// The value of `key`; nil where it is absent, and for a value that is not a map. Setting one
  /// turns any other value into a map.
  public subscript(key: String) -> RecipeValue? {
    get { if case .map(let values) = self { values[key] } else { nil } }
    set {
      var values: [String: RecipeValue] = [:]
      if case .map(let own) = self { values = own }
      values[key] = newValue
      self = .map(values)
    }
  }

  /// The value of `key`, or `value` where it is absent.
  subscript(key: String, default value: RecipeValue) -> RecipeValue {
    get { self[key] ?? value }
    set { self[key] = newValue }
  }

  /// The value at `path`; nil where it is absent, and in the setter for a path through a list.
  public subscript(path: RecipePath) -> RecipeValue? {
    get {
      path.steps.reduce(self as RecipeValue?) { value, step in
        switch (step, value) {
        case (.key(let key), let value): value?[key]
        case (.item(let item), .list(let list)?): list.indices.contains(item) ? list[item] : nil
        default: nil
        }
      }
    }
    set {
      guard case .key(let key)? = path.steps.first else { return }
      guard path.steps.count > 1 else { return self[key] = newValue }
      self[key, default: [:]][RecipePath(Array(path.steps.dropFirst()))] = newValue
    }
  }
}

extension RecipeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A number.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// A number.
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
  /// A list.
  public init(arrayLiteral items: RecipeValue...) { self = .list(items) }
  /// A map; of equal keys the last one counts.
  public init(dictionaryLiteral values: (String, RecipeValue)...) {
    self = .map(Dictionary(values) { $1 })
  }
}

extension RecipeValue: Codable {
  /// Reads any JSON of at most 64 levels, since each level uses stack.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= DecodeLimits.standard.maxNesting else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "values are nested too deep; nest them less"))
    }
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

  /// Writes the value as JSON has it.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .number(let number):
      if let integer = Int(exactly: number) {
        try value.encode(integer)
      } else {
        try value.encode(number)
      }
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .map(let map): try value.encode(map)
    }
  }
}
