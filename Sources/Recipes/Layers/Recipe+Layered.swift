import RawFilter

extension Recipe {
  /// The recipe that `layers` come to. Errors name the document and line of the value that is
  /// wrong. A relative `raw.profilePath` starts from the folder of its document.
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
      try validate(namesOutput: true)
    } catch {
      let origin = layers.origin(of: error.key ?? RecipePath())
      let place = origin.flatMap { $0.path == nil ? "\($0.source): " : nil } ?? ""
      throw RecipeError(
        .badSetting, place + error.message, key: error.key, path: origin?.path, line: origin?.line)
    }
  }

  /// The values that make this recipe: every setting that does not follow the file or the output.
  public var values: RecipeValue {
    get throws(RecipeError) {
      do { return try RecipeValueEncoder.encode(self) } catch {
        throw RecipeError(.badSetting, "the recipe holds a number that is none; set it again")
      }
    }
  }

  private static func decoded(_ values: RecipeValue) throws(RecipeError) -> Recipe {
    do { return try Recipe(from: RecipeValueDecoder(values.canonical(KeyTree.recipe))) } catch {
      throw RecipeError(error)
    }
  }
}

extension RecipeError {
  /// A tree that is no recipe.
  fileprivate init(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let found):
      let path = RecipePath(found.codingPath)
      self.init(
        .badSetting, "\(path) lacks \(key.stringValue), which belongs to it", key: path)
    case DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found),
      DecodingError.dataCorrupted(let found):
      let path = RecipePath(found.codingPath)
      self.init(.badSetting, "\(path): \(found.debugDescription)", key: path)
    default: self.init(.badSetting, "the recipe cannot be read: \(error)")
    }
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
