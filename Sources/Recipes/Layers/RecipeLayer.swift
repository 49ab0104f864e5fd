/// The values that one source gives: some keys of a recipe, stronger than those of the layers below
/// it.
public struct RecipeLayer: Sendable, Hashable {
  /// Which layer this is.
  public var kind: RecipeOrigin.Kind
  /// What people call it, as `rule camera "Canon*" of /a/.rawdev/defaults.yaml`.
  public var source: String
  /// The values: a map of `raw`, `render`, `outputs` and whatever else the document holds.
  public var values: RecipeValue
  /// The document that they stand in; nil for values in memory.
  public var document: RecipeDocument?
  /// Where in the document.
  public var base: RecipePath

  /// What a document says of itself: nothing that a picture is made by.
  private static let aboutDocument = ["schema", "name", "description", "extends", "root", "rules"]

  /// The values of a document.
  public init(_ kind: RecipeOrigin.Kind, _ source: String, _ document: RecipeDocument) {
    self.init(kind, source, values: document.values, document: document)
  }

  /// These values, which stand at `base` of `document`.
  public init(
    _ kind: RecipeOrigin.Kind, _ source: String, values: RecipeValue,
    document: RecipeDocument? = nil, base: RecipePath = RecipePath()
  ) {
    self.kind = kind
    self.source = source
    self.values = values
    for key in Self.aboutDocument { self.values[key] = nil }
    self.document = document
    self.base = base
  }

  /// Recipes that the caller names, in order, each after what it extends.
  public static func recipes(_ recipes: [RecipeDocument]) throws(RecipeError) -> [RecipeLayer] {
    try RecipeChain.documents(recipes).map { document in
      let name = document.path ?? "the caller's"
      return RecipeLayer(.recipe, name.hasPrefix("recipe ") ? name : "recipe \(name)", document)
    }
  }

  /// Where the value at `path` of this layer comes from.
  public func origin(of path: RecipePath) -> RecipeOrigin {
    let line = document.flatMap { $0.path == nil ? nil : $0.lines.line(of: base.appending(path)) }
    var origin = RecipeOrigin(kind, source, path: document?.path, line: line)
    origin.folder = document?.file?.folder
    return origin
  }
}
