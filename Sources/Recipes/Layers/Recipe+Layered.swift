import Foundation
import RawFilter

extension Recipe {
  /// The recipe that `layers` come to. Errors name the document and line of the value that is wrong. A
  /// relative `raw.profilePath` starts from the folder of its document.
  public init(_ layers: LayeredRecipe) throws(RecipeError) {
    if let problem = layers.problems.first(where: { $0.severity == .error }) { throw problem.error }
    var values = layers.values
    let profile = RecipePath(keys: "raw", "profilePath")
    if case .text(let path)? = values[profile], !path.hasPrefix("/"),
      let folder = layers.origin(of: profile)?.folder
    {
      values["raw"]?["profilePath"] = .text(folder.joinedPath(Array(path.utf8)).text)
    }
    do {
      self = try Self.decoded(values)
      try checkParts()
    } catch {
      let origin = layers.origin(of: error.path)
      let place = origin.flatMap { $0.path == nil ? "\($0.source): " : nil } ?? ""
      throw RecipeError(.badSetting, place + error.message, path: origin?.path, line: origin?.line)
    }
  }

  /// The values that make this recipe: every setting that does not follow the file or the output.
  public var values: RecipeValue {
    get throws(RecipeError) {
      do {
        return try JSONDecoder().decode(RecipeValue.self, from: JSONEncoder().encode(self))
      } catch {
        throw RecipeError(.badSetting, "the recipe holds a number that is none; set it again")
      }
    }
  }

  /// What is wrong, and with which key.
  fileprivate struct Failure: Error {
    var path: RecipePath
    var message: String
  }

  private static func decoded(_ values: RecipeValue) throws(Failure) -> Recipe {
    do {
      let data = try JSONEncoder().encode(values.canonical(KeyTree.recipe))
      return try JSONDecoder().decode(Recipe.self, from: data)
    } catch let error as DecodingError {
      throw Failure(error)
    } catch {
      throw Failure(path: RecipePath(), message: "the recipe cannot be read: \(error)")
    }
  }

  /// What single values cannot show: whether they go together.
  private func checkParts() throws(Failure) {
    do { try raw.validate() } catch {
      throw Failure(
        path: Self.path(in: RecipePath(keys: "raw"), error.message), message: error.message)
    }
    do { try render.validate() } catch {
      throw Failure(
        path: Self.path(in: RecipePath(keys: "render"), error.message), message: error.message)
    }
    let all = RecipePath(keys: "outputs")
    if outputs.isEmpty {
      throw Failure(path: all, message: "outputs holds nothing; name at least one file to write")
    }
    for (name, output) in outputs.sorted(by: { $0.key < $1.key }) {
      let path = all.appending(name)
      do {
        try output.validate()
        if let name = output.name { _ = try NameTemplate(name) }
      } catch {
        throw Failure(
          path: Self.path(in: path, error.message), message: "output \(name): \(error.message)")
      }
    }
  }

  /// The key within `group` that `message` begins with or speaks of.
  private static func path(in group: RecipePath, _ message: String) -> RecipePath {
    let words = [
      ("the name template", "name"), ("this gain map", "gainMap"), ("a thumbnail", "thumbnail"),
      (" does not hold ", "light"), ("bits is", "sdrBits"),
    ]
    if let key = words.first(where: { message.contains($0.0) })?.1 { return group.appending(key) }
    let first = message.prefix { $0.isLetter || $0.isNumber }
    return RecipeKey.at(group.appending(String(first))) == nil
      ? group : group.appending(String(first))
  }
}

extension Recipe.Failure {
  fileprivate init(_ error: DecodingError) {
    var path: [any CodingKey] = []
    switch error {
    case .keyNotFound(let key, let found):
      path = found.codingPath
      message = "\(RecipePath(path)) lacks \(key.stringValue), which belongs to it"
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      path = found.codingPath
      message = "\(RecipePath(path)): \(found.debugDescription)"
    @unknown default:
      message = "the recipe cannot be read: \(error)"
    }
    self.path = RecipePath(path)
  }
}

extension RecipePath {
  fileprivate init(_ keys: [any CodingKey]) {
    self.init(keys.map { key in key.intValue.map { .item($0) } ?? .key(key.stringValue) })
  }
}

extension RecipeValue {
  /// Names that were written as numbers, such as `chroma: 420`, as the texts they are.
  func canonical(_ tree: KeyTree) -> RecipeValue {
    if let key = tree.key { return KeyValueCheck.canonical(self, key) }
    guard case .map(let map) = self else { return self }
    return .map(
      Dictionary(
        uniqueKeysWithValues: map.map { name, value in
          let next = tree.children[name] ?? tree.any?.tree
          return (name, next.map { value.canonical($0) } ?? value)
        }))
  }
}
