import RawFilter

/// The recipe of a picture: layers merged in order, later layers override, with the origin of every
/// value.
///
/// An absent key is inherited; null is the engine's default, overriding weaker layers; maps merge
/// by key; lists are replaced, not merged. These settings of the white are alternatives:
/// neutralTemperature with neutralTint, neutralChromaticity, neutralLocation,
/// isAutomaticWhiteBalanceEnabled, whiteFrom with whitePatch. A layer that sets any of them
/// overrides all of them.
public struct LayeredRecipe: Sendable, Hashable {
  /// A value set by a layer.
  public struct Given: Sendable, Hashable {
    /// Its position.
    public var path: RecipePath
    /// The value; null where the layer selects the engine's default.
    public var value: RecipeValue
    /// Its origin.
    public var origin: RecipeOrigin
  }

  /// An effective value.
  public struct Entry: Sendable, Hashable {
    fileprivate var given: Given
    /// The values of weaker layers that it overrides, weakest first.
    public var overridden: [Given]

    /// Its position.
    public var path: RecipePath { given.path }
    /// The value; null where a layer selects the engine's default.
    public var value: RecipeValue { given.value }
    /// Its origin.
    public var origin: RecipeOrigin { given.origin }
  }

  /// Keys by which a recipe sets the white.
  package static let whiteKeys = Set(Adjustment.whites.joined().map(\.name))

  private var root = Node(
    .map([:]), at: RecipePath(), of: RecipeLayer(.engine, "engine", values: .map([:])))

  /// Merges `layers`, weakest first.
  public init(_ layers: [RecipeLayer] = []) {
    for layer in layers { root.overlay(with: Node(layer.values, at: RecipePath(), of: layer)) }
  }

  /// The effective values, without null, and without keys about documents such as `extends`.
  public var values: RecipeValue { root.values ?? .map([:]) }

  /// Every value that a layer sets, in the order of the paths.
  public var entries: [Entry] { root.entries().filter { !$0.path.steps.isEmpty } }

  /// The documents and options that set an effective value, weakest first.
  public var sources: [String] {
    var seen: Set<String> = []
    return entries.map(\.origin).sorted { $0.kind < $1.kind }.map(\.source).filter {
      seen.insert($0).inserted
    }
  }

  /// The origin of the value at `path`, otherwise of the nearest map around it;
  /// nil where no layer has either.
  public func origin(of path: RecipePath) -> RecipeOrigin? {
    var node = root
    for case .key(let key) in path.steps {
      guard let next = node.children?[key] else { break }
      node = next
    }
    return node.given.path.steps.isEmpty ? nil : node.given.origin
  }

  /// A value of one or several layers, with all below it.
  private struct Node: Sendable, Hashable {
    /// The value here; for a map only its position and origin.
    var given: Given
    /// The values of a map; nil for a value that is no map.
    var children: [String: Node]?
    /// What this overrides, weakest first.
    var overridden: [Given] = []

    init(_ value: RecipeValue, at path: RecipePath, of layer: RecipeLayer) {
      given = Given(path: path, value: value, origin: layer.origin(of: path))
      guard case .map(let map) = value else { return }
      given.value = .map([:])
      children = Dictionary(
        uniqueKeysWithValues: map.map { ($0, Node($1, at: path.appending($0), of: layer)) })
    }

    /// Overrides this with `stronger`, a node of one layer.
    mutating func overlay(with stronger: Node) {
      guard var merged = children, let above = stronger.children else {
        // Appended without a copy: many rules may set one value.
        if children == nil { overridden.append(given) } else { overridden = all }
        (given, children) = (stronger.given, stronger.children)
        return
      }
      children = nil
      given = stronger.given
      let whites = above.keys.filter(LayeredRecipe.whiteKeys.contains)
      var hidden: [Given] = []
      if given.path == RecipePath(keys: "raw"), !whites.isEmpty {
        for key in LayeredRecipe.whiteKeys { hidden += merged.removeValue(forKey: key)?.all ?? [] }
        hidden.sort { $0.path < $1.path }
      }
      for (key, node) in above {
        if merged[key]?.overlay(with: node) == nil { merged[key] = node }
      }
      if let first = whites.min() { merged[first]?.overridden.insert(contentsOf: hidden, at: 0) }
      children = merged
    }

    /// The values here and below, each after those that it overrides. An empty map has none.
    private var all: [Given] {
      overridden + (children.map { $0.sorted { $0.key < $1.key }.flatMap(\.value.all) } ?? [given])
    }

    /// The entries here and below, in the order of the paths. Values that a map overrides belong to
    /// its first value.
    func entries(_ inherited: [Given] = []) -> [Entry] {
      var inherited = inherited + overridden
      guard let children, !children.isEmpty else {
        return [Entry(given: given, overridden: inherited)]
      }
      return children.sorted { $0.key < $1.key }.flatMap { _, node in
        defer { inherited = [] }
        return node.entries(inherited)
      }
    }

    /// The values here and below; null leaves its key out.
    var values: RecipeValue? {
      guard let children else { return given.value == .null ? nil : given.value }
      return .map(children.compactMapValues(\.values))
    }
  }
}
