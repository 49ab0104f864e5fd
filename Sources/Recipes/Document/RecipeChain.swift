/// Recipes and what they extend, in the order in which they count, weakest first. What two of them
/// extend counts once, at the first place; what the caller names counts where the caller names it.
public struct RecipeChain {
  /// How many documents may extend each other in a row, and how many one may name.
  public static let maxDepth = 32

  /// One step of the way to a document.
  private struct Link {
    var identity: [UInt8]
    var name: String
  }

  private var seen: Set<[UInt8]> = []
  private var documents: [RecipeDocument] = []

  /// `recipes` in their order, each after what it extends.
  public static func documents(
    _ recipes: [RecipeDocument]
  ) throws(RecipeError) -> [RecipeDocument] {
    var chain = RecipeChain()
    for recipe in recipes {
      let identity = chain.identity(recipe)
      let link = Link(identity: identity, name: recipe.path ?? "the recipe")
      try chain.addExtended(recipe, way: [link])
      chain.documents.append(recipe)
      chain.seen.insert(identity)
    }
    return chain.documents
  }

  /// The recipe `name`: a path, relative to `folder`, where it has a slash or ends as files of
  /// recipes do; else one that is built in.
  public static func document(
    named name: String, from folder: [UInt8] = Array(".".utf8)
  ) throws(RecipeError) -> RecipeDocument {
    let isFile =
      name.contains("/")
      || [".yaml", ".yml", ".json"].contains { name.lowercased().hasSuffix($0) }
    if isFile { return try RecipeDocument(contentsOf: folder.joinedPath(Array(name.utf8))) }
    if let recipe = BundledRecipe.named(name) { return try recipe.document }
    let known = BundledRecipe.all.map(\.name).joined(separator: ", ")
    throw RecipeError(
      .cannotRead, "no recipe is called \(name); there are \(known), and files as ./\(name).yaml")
  }

  private func identity(_ document: RecipeDocument) -> [UInt8] {
    if let file = document.file { return DocumentFile.resolved(file) ?? file }
    // No path holds a 0.
    return [0] + Array((document.path ?? "").utf8)
  }

  private mutating func addExtended(
    _ document: RecipeDocument, way: [Link]
  ) throws(RecipeError) {
    let folder = document.file?.folder ?? Array(".".utf8)
    for (index, name) in try document.extends.enumerated() {
      let place = RecipePath([.key("extends"), .item(index)])
      let next: RecipeDocument
      do { next = try Self.document(named: name, from: folder) } catch {
        // Where the other document is not there, this one is to be mended.
        guard error.code == .cannotRead else { throw error }
        let what = error.path.map { "\($0): " } ?? ""
        throw document.error(.cannotRead, "extends \(name): \(what)\(error.message)", at: place)
      }
      let link = Link(identity: identity(next), name: next.path ?? name)
      if let start = way.firstIndex(where: { $0.identity == link.identity }) {
        let circle = (way[start...].map(\.name) + [way[start].name]).joined(separator: " extends ")
        throw document.error(
          .cyclicExtends, "recipes extend each other in a circle: \(circle); take one of these out",
          at: place)
      }
      guard !seen.contains(link.identity) else { continue }
      guard way.count < Self.maxDepth else {
        throw document.error(
          .cyclicExtends,
          "more than \(Self.maxDepth) recipes extend each other in a row; take some out", at: place)
      }
      try addExtended(next, way: way + [link])
      documents.append(next)
      seen.insert(link.identity)
    }
  }
}
