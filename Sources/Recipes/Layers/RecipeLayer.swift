/// The values of one source, which override those of weaker layers.
public struct RecipeLayer: Sendable, Hashable {
  /// The kind of layer.
  public var kind: RecipeOrigin.Kind
  /// Its name in messages, `rule camera "Canon*" of /a/.rawdev/defaults.yaml`.
  public var source: String
  /// The values: a map of `raw`, `render`, `outputs` and unknown keys.
  public var values: RecipeValue
  /// Their document; nil for values in memory.
  public var document: RecipeDocument?
  /// Their position in the document.
  public var base: RecipePath

  /// Keys about a document, which have no effect on pictures.
  private static let aboutDocument = [
    "schema", "name", "description", "extends", "root", "rules", PictureMarks.ratingKey,
    PictureMarks.pickKey,
  ]

  /// Hashes only the name of the document: each of its many rules is a layer.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(source)
    hasher.combine(values)
    hasher.combine(document?.path)
    hasher.combine(base)
  }

  /// All values of a document.
  public init(_ kind: RecipeOrigin.Kind, _ source: String, _ document: RecipeDocument) {
    self.init(kind, source, values: document.values, document: document)
  }

  /// Values, which are at `base` of `document`.
  public init(
    _ kind: RecipeOrigin.Kind, _ source: String, values: RecipeValue,
    document: RecipeDocument? = nil, base: RecipePath = RecipePath()
  ) {
    self.kind = kind
    self.source = source
    self.values = values
    var lines = DocumentLines(1)
    _ = FormerNames.replace(in: &self.values, &lines)
    LookPath.replace(in: &self.values, &lines)
    for key in Self.aboutDocument { self.values[key] = nil }
    self.document = document
    self.base = base
  }

  /// Layers of the recipes that the caller names, in order, each after those that it extends.
  public static func recipes(_ recipes: [RecipeDocument]) throws(RecipeError) -> [RecipeLayer] {
    try RecipeChain.documents(recipes).map { document in
      let name = document.path ?? "the caller's"
      return RecipeLayer(.recipe, name.hasPrefix("recipe ") ? name : "recipe \(name)", document)
    }
  }

  /// Origin of the value at `path` of this layer.
  public func origin(of path: RecipePath) -> RecipeOrigin {
    let line = document.flatMap { $0.path == nil ? nil : $0.lines.line(of: base.appending(path)) }
    var origin = RecipeOrigin(kind, source, path: document?.path, line: line)
    origin.folder = document?.file?.folder
    return origin
  }
}
