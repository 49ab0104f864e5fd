import ImageCore

extension RecipeDocument {
  /// A change of a document.
  public struct Setting: Sendable, Hashable {
    /// The position of the value, through maps.
    public var path: RecipePath
    /// The value; nil to remove the key.
    public var value: RecipeValue?

    /// Sets the value at `path`, or removes it.
    public init(_ path: RecipePath, _ value: RecipeValue?) {
      (self.path, self.value) = (path, value)
    }
  }

  /// Writes `settings` into the file at `path`; its comments and order stay. Where it does not
  /// exist and `creates` is true, makes a file with only these. Throws, and writes nothing, where a
  /// key is unknown or refuses its value, or where the recipe would then be invalid.
  public static func set(
    _ settings: [Setting], in path: [UInt8], creates: Bool = false
  ) throws(RecipeError) {
    while true {
      let bytes = try DocumentFile.bytes(path)
      guard bytes != nil || creates else {
        throw RecipeError(
          .cannotRead, "no such file; create one first", path: path.text,
          remedies: [.createRecipe])
      }
      let new = try edited(bytes, of: path, with: settings)
      guard let bytes else { return try DocumentFile.create(new, at: path) }
      // Where another program wrote it meanwhile, that is edited.
      if Array(new.utf8) == bytes { return }
      if try DocumentFile.replace(path, of: bytes, with: new) { return }
    }
  }

  /// The text of an empty document.
  package static let emptyText = "schema: 1\n"

  /// The text of the file at `path` with `settings`, where it holds `bytes`, or is not there.
  /// Throws as ``set(_:in:creates:)``.
  package static func edited(
    _ bytes: [UInt8]?, of path: [UInt8], with settings: [Setting]
  ) throws(RecipeError) -> String {
    let text = try text(bytes ?? Array(emptyText.utf8), of: path)
    return try RecipeDocument(text: text, path: path.text).text(text, with: settings)
  }

  /// `text`, of this document, with `settings`.
  func text(_ text: String, with settings: [Setting]) throws(RecipeError) -> String {
    guard migrated.isEmpty else {
      throw RecipeError(
        .badSetting,
        "the recipe has an old form; migrate it first",
        path: path, remedies: [.migrateRecipe])
    }
    var editor = DocumentEditor(text)
    var wanted = values
    let lookPath = RecipePath(keys: "raw", "lutPath")
    if hasLookPath, let path = values[lookPath],
      settings.contains(where: { [lookPath, RecipePath(keys: "raw", "look")].contains($0.path) })
    {
      // One of both spellings changes.
      do {
        try editor.remove(["raw", "look"])
        try editor.set(path, at: ["raw", "lutPath"])
      } catch {
        throw RecipeError(.malformed, "the recipe cannot be edited (\(error))", path: self.path)
      }
    }
    for setting in settings {
      var keys: [String] = []
      for step in setting.path.steps {
        guard case .key(let key) = step else { break }
        keys.append(key)
      }
      guard keys.count == setting.path.steps.count, !keys.isEmpty else {
        throw RecipeError(.badSetting, "\(setting.path) is in a list; edit the file as text")
      }
      do {
        if let value = setting.value {
          try Self.check(setting.path, value)
          try editor.set(value, at: keys)
          wanted[setting.path] = value
        } else {
          try editor.remove(keys)
          wanted.prune(keys[...])
        }
      } catch let error as RecipeError { throw error } catch {
        throw RecipeError(.malformed, "the recipe cannot be edited (\(error))", path: path)
      }
    }
    let new = try RecipeDocument(text: editor.text, path: path)
    guard new.values == wanted else {
      throw RecipeError(
        .malformed, "rawdev cannot edit this form of YAML; edit the file as text",
        path: path)
    }
    _ = try Recipe(LayeredRecipe([RecipeLayer(.recipe, path ?? "recipe", new)]))
    return editor.text
  }

  /// Throws unless the key at `path` is known and takes `value`.
  private static func check(_ path: RecipePath, _ value: RecipeValue) throws(RecipeError) {
    var values = RecipeValue.map([:])
    values[path] = value
    guard let finding = RecipeCheck(values).findings.first else { return }
    throw RecipeError(.badSetting, finding.message, key: finding.path)
  }
}

extension RecipeValue {
  /// Removes the value at `path`, and maps that become empty, except the outermost.
  fileprivate mutating func prune(_ path: ArraySlice<String>) {
    guard let key = path.first, self[key] != nil else { return }
    if path.count > 1 {
      self[key]?.prune(path.dropFirst())
      guard self[key] == .map([:]) else { return }
    }
    self[key] = nil
  }
}
