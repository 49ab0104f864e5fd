/// The recipe of a picture: all layers laid over each other, weakest first, with the origin of
/// every value.
///
/// Absent keys are inherited; null is the engine's default, whatever weaker layers say; maps merge
/// by key; lists are taken as a whole. The ways of naming the white are alternatives:
/// neutralTemperature with neutralTint, neutralChromaticity, neutralLocation,
/// isAutomaticWhiteBalanceEnabled. A layer that gives any of them takes the place of all that
/// weaker layers give.
public struct LayeredRecipe: Sendable, Hashable {
  /// One effective value.
  public struct Entry: Sendable, Hashable {
    /// Where it stands.
    public var path: RecipePath
    /// The value; null where a layer asks for the engine's default.
    public var value: RecipeValue
    /// Where it comes from.
    public var origin: RecipeOrigin
    /// What it took the place of, weakest first.
    public var overridden: [Overridden]
  }

  /// A value of a weaker layer that does not count.
  public struct Overridden: Sendable, Hashable {
    /// Where it stands.
    public var path: RecipePath
    /// The value.
    public var value: RecipeValue
    /// Where it comes from.
    public var origin: RecipeOrigin
  }

  private var tree: LayerTree

  /// `layers`, weakest first.
  public init(_ layers: [RecipeLayer] = []) {
    let nothing = LayerTree(RecipeLayer(.engine, "engine", values: .map([:])))
    tree = layers.reduce(nothing) { $0.under(LayerTree($1)) }
  }

  /// This recipe with `stronger` laid over it.
  public func overlaid(by stronger: LayeredRecipe) -> LayeredRecipe {
    var result = self
    result.tree = tree.under(stronger.tree)
    return result
  }

  /// The effective values: without null, and without keys of documents such as `extends`.
  public var values: RecipeValue { tree.values ?? .map([:]) }

  /// Every value that a layer gives, in the order of the paths.
  public var entries: [Entry] {
    var entries: [Entry] = []
    tree.visit { leaf, overridden in
      guard !leaf.path.steps.isEmpty else { return }
      entries.append(
        Entry(
          path: leaf.path, value: leaf.value, origin: leaf.origin,
          overridden: overridden.map {
            Overridden(path: $0.path, value: $0.value, origin: $0.origin)
          }))
    }
    return entries
  }

  /// Where the value at `path` comes from: its own origin, or that of the nearest thing around it.
  public func origin(of path: RecipePath) -> RecipeOrigin? {
    var node = tree
    for case .key(let key) in path.steps {
      guard let next = node.children?[key] else { break }
      node = next
    }
    return node.leaf.path.steps.isEmpty ? nil : node.leaf.origin
  }
}
