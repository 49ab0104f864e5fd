/// A recipe in a manifest or a request: its name or path, or its values. In JSON a string or an
/// object.
public enum SourceRecipe: Sendable, Hashable, Codable {
  /// Name of a bundled recipe, or path of a document.
  case named(String)
  /// The values of a recipe, a map.
  case values(RecipeValue)

  /// Reads a string or an object; anything else is an error.
  public init(from decoder: any Decoder) throws {
    let value = try RecipeValue(from: decoder)
    switch value {
    case .text(let name): self = .named(name)
    case .map: self = .values(value)
    default:
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a recipe is a name, a path or an object"))
    }
  }

  /// Writes a string or an object.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .named(let name): try RecipeValue.text(name).encode(to: encoder)
    case .values(let value): try value.encode(to: encoder)
    }
  }
}
