import RawFilter

extension Recipe {
  /// The recipe of merged layers. Errors name the document and line of the wrong value. A relative
  /// path of a profile, a table of colors or another raw starts from the folder of its document.
  public init(_ layers: LayeredRecipe) throws(RecipeError) {
    if let problem = layers.problems.first(where: { $0.severity == .error }) { throw problem.error }
    var values = layers.values
    for key in values.pathsOfFiles {
      if case .text(let path)? = values[key], !path.hasPrefix("/"),
        let folder = layers.origin(of: key)?.folder
      {
        values[key] = .text(folder.joinedPath(Array(path.utf8)).text)
      }
    }
    do throws(RecipeError) {
      do { self = try Recipe(from: RecipeValueDecoder(values.canonical(KeyTree.recipe))) } catch {
        throw RecipeError(decoding: error)
      }
      try validate(namesOutput: true)
    } catch {
      let origin = layers.origin(of: error.key ?? RecipePath())
      throw RecipeError(
        .badSetting, (origin?.prefix ?? "") + error.message, key: error.key, path: origin?.path,
        line: origin?.line)
    }
  }

  /// The values that make this recipe: every setting but those that follow the file or the output.
  /// Throws for NaN and infinity.
  public var values: RecipeValue {
    get throws(RecipeError) {
      do { return try RecipeValueEncoder.encode(self) } catch {
        throw RecipeError(
          .badSetting, "the recipe has a number that is NaN or infinite; set it again")
      }
    }
  }
}

extension RecipeError {
  /// An error of the typed recipe's decoding.
  fileprivate init(decoding error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let found):
      let path = RecipePath(found.codingPath)
      self.init(.badSetting, "\(path) lacks \(key.stringValue), which is required", key: path)
    case DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found),
      DecodingError.dataCorrupted(let found):
      let path = RecipePath(found.codingPath)
      self.init(.badSetting, "\(path): \(found.debugDescription)", key: path)
    default: self.init(.badSetting, "the recipe cannot be read: \(error)")
    }
  }
}

extension RecipeDocument {
  /// The properties whose values are paths of files.
  package static let pathNames = [
    "profilePath", "lutPath", "series", "whiteFrom", "exposureFrom",
  ]
}

extension RecipeValue {
  /// The keys whose values are paths of files: camera profile, color table, series, the raws of
  /// white and exposure, and the profile of each output.
  fileprivate var pathsOfFiles: [RecipePath] {
    var outputs: [String] = []
    if case .map(let map)? = self["outputs"] { outputs = map.keys.sorted() }
    return RecipeDocument.pathNames.map { RecipePath(keys: "raw", $0) }
      + outputs.map { RecipePath(keys: "outputs", $0, "iccProfile") }
  }

  /// Choices that were written as numbers, such as `chroma: 420`, as texts.
  func canonical(_ tree: KeyTree) -> RecipeValue {
    if let key = tree.key { return key.canonical(self) }
    guard case .map(var map) = self else { return self }
    for (name, value) in map {
      if let next = tree[name] { map[name] = value.canonical(next) }
    }
    return .map(map)
  }
}
