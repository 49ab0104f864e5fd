/// Recipes with the ones that they extend, weakest first. A recipe that several of them extend
/// occurs once, at its first position; one that the caller names stays at the caller's position.
public struct RecipeChain {
  /// Maximum length of a chain of documents that extend each other, and of the list that one names.
  public static let maxDepth = RecipeLimits.chain

  /// A document between the one that the caller names and one that it extends.
  private struct Link {
    var identity: [UInt8]
    var name: String
  }

  private var seen: Set<[UInt8]> = []
  private var documents: [RecipeDocument] = []

  /// `recipes` in their order, each after those that it extends.
  public static func documents(
    _ recipes: [RecipeDocument]
  ) throws(RecipeError) -> [RecipeDocument] {
    var chain = RecipeChain()
    for recipe in recipes {
      let identity = chain.identity(recipe)
      let link = Link(identity: identity, name: recipe.path ?? "the recipe")
      try chain.addExtended(recipe, ancestors: [link])
      chain.documents.append(recipe)
      chain.seen.insert(identity)
    }
    return chain.documents
  }

  /// The recipe `name`: a name with a slash or an extension of recipes is the path of a file
  /// relative to `folder`; any other name is a bundled recipe or look, else a recipe in `own`.
  public static func document(
    named name: String, from folder: [UInt8] = Array(".".utf8), or own: RecipeFolder? = nil
  ) throws(RecipeError) -> RecipeDocument {
    if isFile(name) { return try RecipeDocument(contentsOf: folder.joinedPath(Array(name.utf8))) }
    if let recipe = BundledRecipe.named(name) { return try recipe.document }
    if let look = BundledLook.named(name) { return try look.document }
    if let document = try own?.document(named: name) { return document }
    if name.hasPrefix(BundledLook.prefix) {
      let looks = BundledLook.all.map(\.recipeName).joined(separator: ", ")
      throw RecipeError(.cannotRead, "no look is called \(name); there are \(looks)")
    }
    let known = (BundledRecipe.all.map(\.name) + (own?.names ?? [])).joined(separator: ", ")
    throw RecipeError(
      .cannotRead, "no recipe is called \(name); there are \(known), and files as ./\(name).yaml")
  }

  private static func isFile(_ name: String) -> Bool {
    name.contains("/")
      || RecipeFolder.endings.contains { name.lowercased().hasSuffix($0) }
  }

  private func identity(_ document: RecipeDocument) -> [UInt8] {
    if let file = document.file { return DocumentFile.resolved(file) ?? file }
    // No path contains a NUL.
    return [0] + Array((document.path ?? "").utf8)
  }

  private mutating func addExtended(
    _ document: RecipeDocument, ancestors: [Link]
  ) throws(RecipeError) {
    let folder = document.file?.folder ?? Array(".".utf8)
    for (index, name) in try document.extends.enumerated() {
      // Those that are part of it are not read again.
      if Self.isFile(name),
        let known = DocumentFile.resolved(folder.joinedPath(Array(name.utf8))), seen.contains(known)
      {
        continue
      }
      let here = RecipePath([.key("extends"), .item(index)])
      let next: RecipeDocument
      do { next = try Self.document(named: name, from: folder) } catch {
        // Where the other document is missing, this one has to be fixed.
        guard error.code == .cannotRead else { throw error }
        let what = error.path.map { "\($0): " } ?? ""
        throw document.error(.cannotRead, "extends \(name): \(what)\(error.message)", at: here)
      }
      let link = Link(identity: identity(next), name: next.path ?? name)
      if let start = ancestors.firstIndex(where: { $0.identity == link.identity }) {
        let circle = (ancestors[start...].map(\.name) + [ancestors[start].name])
          .joined(separator: " extends ")
        throw document.error(
          .cyclicExtends, "recipes extend each other in a circle: \(circle); remove one of these",
          at: here)
      }
      guard !seen.contains(link.identity) else { continue }
      guard ancestors.count < Self.maxDepth else {
        throw document.error(
          .cyclicExtends,
          "more than \(Self.maxDepth) recipes extend each other in a row; remove some", at: here)
      }
      try addExtended(next, ancestors: ancestors + [link])
      documents.append(next)
      seen.insert(link.identity)
    }
  }
}
