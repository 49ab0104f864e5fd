/// Every effective value of a picture's recipe, and its origin: the result of `rawdev
/// recipe explain`.
public struct RecipeExplanation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// One value.
  public struct Line: Sendable, Hashable, Codable {
    /// The key, as `outputs.web.quality`.
    public var key: String
    /// The value; null for the default.
    public var value: RecipeValue
    /// The default in words, where it applies; otherwise nil.
    public var standard: String?
    /// The kind of layer of its origin.
    public var layer: RecipeOrigin.Kind
    /// The layer as messages call it.
    public var source: String
    /// The document; nil without one.
    public var path: String?
    /// Line of the document, from 1.
    public var line: Int?
    /// Whether this version knows the key.
    public var isKnown: Bool
    /// Values of weaker layers that it overrides, weakest first.
    public var overridden: [Overridden]
  }

  /// A value of a weaker layer that is overridden.
  public struct Overridden: Sendable, Hashable, Codable {
    /// The key; it may differ from the key of the overriding value, as several keys set the white.
    public var key: String
    /// The value; null for the default.
    public var value: RecipeValue
    /// The kind of layer of its origin.
    public var layer: RecipeOrigin.Kind
    /// The layer as messages call it.
    public var source: String
    /// The document; nil without one.
    public var path: String?
    /// Line of the document, from 1.
    public var line: Int?
  }

  /// The values, in the order of the pipeline, then the unknown keys.
  public var lines: [Line]

  /// Explains the merged `layers`.
  public init(_ layers: LayeredRecipe) {
    var given = Dictionary(
      layers.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var lines: [Line] = []
    func add(_ path: RecipePath, _ key: RecipeKey) {
      if let entry = given.removeValue(forKey: path) {
        lines.append(Line(entry, key))
      } else {
        lines.append(Line(standard: key, at: path))
      }
    }
    for key in RecipeKey.effective where !key.path.hasPrefix("outputs.") {
      add(key.path(output: ""), key)
    }
    let all = RecipePath(keys: "outputs")
    // A recipe without outputs has the default one.
    var names = [Recipe.onlyOutput]
    if case .map(let outputs)? = layers.values["outputs"] { names = outputs.keys.sorted() }
    for name in names {
      if let entry = given.removeValue(forKey: all.appending(name)), !entry.overridden.isEmpty {
        lines.append(Line(entry, nil))
      }
      for key in RecipeKey.effective where key.path.hasPrefix("outputs.") {
        let path = key.path(output: name)
        // HDR metadata are listed only where a layer sets them.
        if !key.path.contains(".light.") || given[path] != nil { add(path, key) }
      }
    }
    lines += given.values.sorted { $0.path < $1.path }.map { Line($0, RecipeKey.at($0.path)) }
    self.lines = lines
  }

  /// One line for each value, in columns.
  public var description: String { text(onlyGiven: false) }

  /// One line for each value, in columns; `onlyGiven`: only values that a layer sets.
  public func text(onlyGiven: Bool) -> String {
    let shown = lines.filter { !onlyGiven || $0.layer != .engine }
    // Unknown keys may have any length.
    let keys = min(60, shown.map(\.key.count).max() ?? 0)
    let values = min(28, shown.map(\.shown.count).max() ?? 0)
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return shown.map { line in
      let origin = RecipeOrigin(line.layer, line.source, line: line.line).text
      var text = "\(padded(line.key, keys))  \(padded(line.shown, values))  \(origin)"
      if let standard = line.standard, line.shown == "default" { text += ": \(standard)" }
      if !line.isKnown { text += "; unknown, no effect" }
      for weaker in line.overridden {
        let key = weaker.key == line.key ? "" : "\(weaker.key) "
        let origin = RecipeOrigin(weaker.layer, weaker.source, line: weaker.line).text
        text +=
          "\n\(String(repeating: " ", count: keys))    over \(key)\(weaker.value.line) of \(origin)"
      }
      return text + "\n"
    }.joined()
  }
}

extension RecipeExplanation.Line {
  fileprivate init(_ entry: LayeredRecipe.Entry, _ key: RecipeKey?) {
    let origin = entry.origin
    self.init(
      key: entry.path.description, value: entry.value,
      standard: entry.value == .null ? key?.standard : nil, layer: origin.kind,
      source: origin.source, path: origin.path, line: origin.line,
      isKnown: KeyTree.recipe[entry.path] != nil,
      overridden: entry.overridden.map {
        RecipeExplanation.Overridden(
          key: $0.path.description, value: $0.value, layer: $0.origin.kind,
          source: $0.origin.source, path: $0.origin.path, line: $0.origin.line)
      })
  }

  fileprivate init(standard key: RecipeKey, at path: RecipePath) {
    self.init(
      key: path.description, value: key.standardValue ?? .null, standard: key.standard,
      layer: .engine, source: "engine", path: nil, line: nil, isKnown: true, overridden: [])
  }

  /// The value for people.
  fileprivate var shown: String {
    guard value == .null else { return value.line }
    return standard == nil && isKnown ? "left out" : "default"
  }
}
