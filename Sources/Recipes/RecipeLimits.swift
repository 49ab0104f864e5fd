import ImageCore

/// The fixed limits of recipes and sidecars.
enum RecipeLimits {
  static let documentBytes = 1 << 20
  static let textBytes = 8 << 20
  static let combiningMarks = 64
  static let outputs = 256
  static let rules = 256
  static let patternBytes = 1024
  static let chain = 32
  static let unknownKeys = 100

  /// The table.
  static let rows = [
    FixedLimit(bytes: documentBytes, "a document, or a processing profile of RawTherapee"),
    FixedLimit(bytes: textBytes, "keys and texts of a document with aliases expanded"),
    FixedLimit(combiningMarks, "combining marks of a character; no language has as many"),
    FixedLimit(outputs, "outputs of a recipe"),
    FixedLimit(rules, "rules of a document, each evaluated for each picture"),
    FixedLimit(bytes: patternBytes, "the pattern of a rule, which no name is longer than"),
    FixedLimit(chain, "recipes that extend each other in a row, and names that one extends"),
    FixedLimit(unknownKeys, "unknown keys that are named; further ones are counted"),
  ]
}
