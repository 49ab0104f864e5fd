public import ImageCore

/// A recipe as written: a map of values, and the line of each. See `Docs/recipes.md`.
public struct RecipeDocument: Sendable, Hashable {
  /// The version of the document format that this program writes.
  public static let newestSchema = 1

  /// Its values in the newest format, a map.
  public var values: RecipeValue
  /// Their lines.
  public var lines: DocumentLines
  /// Its name in messages: the path of the file, or `recipe web` for a bundled one; nil for values
  /// in memory.
  public let path: String?
  /// The path of the file as bytes; nil without a file.
  public let file: [UInt8]?

  /// The changes that brought it into the newest format; none for documents that have it.
  public private(set) var migrated: [RecipeMigration.Change] = []
  /// Whether its text names a file of colors as the look.
  private(set) var hasLookPath = false

  /// Parses YAML or JSON.
  public init(
    text: String, path: String? = nil, limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) {
    try self.init(text: text, path: path, file: nil, limits)
  }

  /// Reads a file of YAML or JSON.
  public init(
    contentsOf path: String, limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) {
    try self.init(contentsOf: Array(path.utf8), limits: limits)
  }

  /// Reads a file of YAML or JSON, whose name need not be UTF-8.
  public init(
    contentsOf path: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) {
    guard let document = try Self.ifPresent(path, limits: limits) else {
      throw RecipeError(
        .cannotRead, "no such file; check the name, or list the built-in recipes",
        path: path.text, remedies: [.listRecipes])
    }
    self = document
  }

  /// Reads the file; nil where it does not exist.
  public static func ifPresent(
    _ path: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) -> RecipeDocument? {
    guard let bytes = try DocumentFile.bytes(path) else { return nil }
    return try RecipeDocument(bytes, of: path, limits: limits)
  }

  /// The document of these bytes of the file at `path`.
  package init(
    _ bytes: [UInt8], of path: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) {
    try self.init(text: try Self.text(bytes, of: path), path: path.text, file: path, limits)
  }

  /// `values` as a document for a file at `path`: relative paths start from its folder.
  /// Messages do not name the file.
  package init(values: RecipeValue, for path: [UInt8]) {
    (self.values, lines, self.path, file) = (values, DocumentLines(1), nil, path)
  }

  /// The text that the file at `path` holds.
  static func text(_ bytes: [UInt8], of path: [UInt8]) throws(RecipeError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw RecipeError(
      .malformed, "this is no text in UTF-8; save the recipe as UTF-8", path: path.text,
      line: bytes.lineOfFirstInvalid)
  }

  private init(
    text: String, path: String?, file: [UInt8]?, _ limits: DecodeLimits
  ) throws(RecipeError) {
    let (values, lines) = try DocumentReader.read(text, path: path, limits: limits)
    switch values {
    case .map, .null: break
    default:
      throw RecipeError(
        .malformed, "a recipe is a map of keys and values, as `raw:`; this is \(values.kind)",
        path: path, line: lines.line)
    }
    let migration = RecipeMigration(values == .null ? .map([:]) : values, lines: lines)
    self.values = migration.values
    self.lines = migration.lines
    self.migrated = migration.changes
    hasLookPath = migration.hasLookPath
    self.path = path
    self.file = file
    if try schema > Self.newestSchema {
      throw error(
        .newerSchema,
        "schema is \(try schema); this rawdev reads up to \(Self.newestSchema): use a newer one",
        at: RecipePath(keys: "schema"))
    }
  }

  /// The version of its format; 1 where it has none. Throws where that is no integer.
  public var schema: Int {
    get throws(RecipeError) {
      switch values["schema"] {
      case nil: return 1
      case .number(let number)?:
        if let integer = Int(exactly: number), integer >= 0 { return integer }
      default: break
      }
      let path = RecipePath(keys: "schema")
      throw error(.badSetting, "schema is \(values["schema"]?.brief ?? ""); it takes 1", at: path)
    }
  }

  /// The names and paths of the recipes that it extends, weakest first.
  public var extends: [String] {
    get throws(RecipeError) {
      switch values["extends"] {
      case nil, .null?: return []
      case .text(let name)?: return [name]
      case .list(let list)? where list.count <= RecipeChain.maxDepth:
        let names = list.compactMap { if case .text(let name) = $0 { name } else { nil } }
        if names.count == list.count { return names }
      default: break
      }
      throw error(
        .badSetting,
        """
        extends takes up to \(RecipeChain.maxDepth) names of recipes and paths, as [base.yaml, web]
        """,
        at: RecipePath(keys: "extends"))
    }
  }

  /// An error at `path` of this document.
  public func error(
    _ code: RecipeError.Code, _ message: String, at path: RecipePath, remedies: [Remedy] = []
  ) -> RecipeError {
    RecipeError(
      code, message, path: self.path, line: self.path == nil ? nil : lines.line(of: path),
      remedies: remedies)
  }
}

extension RecipeValue {
  /// The type of the value for messages.
  var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

extension [UInt8] {
  fileprivate var lineOfFirstInvalid: Int {
    var line = 1
    for row in split(separator: 0x0A, omittingEmptySubsequences: false) {
      if String(validating: row, as: UTF8.self) == nil { break }
      line += 1
    }
    return line
  }
}
