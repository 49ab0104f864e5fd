import RawFilter

/// Layers laid over each other: values with their origins, and what each took the place of.
///
/// A tree is a change to whatever lies below it. Maps merge by key; all else takes the place of
/// what lies below, and so does a map that came to lie on a value which is no map (`isCut`): that
/// is what makes `(a, b), c` the same as `a, (b, c)`. The ways of naming the white, within `raw`,
/// are alternatives: a tree that names any takes away all of what lies below.
struct LayerTree: Sendable, Hashable {
  /// A value with where it stands and comes from.
  struct Leaf: Sendable, Hashable {
    var path: RecipePath
    var value: RecipeValue
    var origin: RecipeOrigin
  }

  /// Keys by which a recipe names the white.
  static let whiteKeys = Set(Adjustment.whites.joined().map(\.name))

  /// What stands here; of a map the path and the origin only.
  var leaf: Leaf
  /// What a map holds; nil for a value that is no map.
  var children: [String: LayerTree]?
  /// Whether nothing from below shows through a map.
  var isCut = false
  /// What this took the place of, weakest first.
  var overridden: [Leaf] = []

  /// The values of one layer.
  init(_ layer: RecipeLayer) { self.init(layer.values, at: RecipePath(), of: layer) }

  private init(_ value: RecipeValue, at path: RecipePath, of layer: RecipeLayer) {
    leaf = Leaf(path: path, value: value, origin: layer.origin(of: path))
    guard case .map(let map) = value else { return }
    leaf.value = .map([:])
    children = Dictionary(
      uniqueKeysWithValues: map.map { ($0, LayerTree($1, at: path.appending($0), of: layer)) })
  }

  /// This tree under `stronger`.
  func under(_ stronger: LayerTree) -> LayerTree {
    var result = stronger
    guard let above = stronger.children, !stronger.isCut else {
      result.overridden = leaves + stronger.overridden
      return result
    }
    guard let below = children else {
      result.isCut = true
      result.overridden = leaves + stronger.overridden
      return result
    }
    result.isCut = isCut
    result.overridden = overridden + stronger.overridden
    var merged = above
    var taken: [Leaf] = []
    let names =
      leaf.path == RecipePath(keys: "raw") && above.keys.contains(where: Self.whiteKeys.contains)
    for (key, tree) in below {
      if names, Self.whiteKeys.contains(key) {
        taken += tree.leaves
      } else {
        merged[key] = above[key].map { tree.under($0) } ?? tree
      }
    }
    if let key = above.keys.filter(Self.whiteKeys.contains).min(), !taken.isEmpty {
      taken.sort { $0.path < $1.path }
      merged[key]?.overridden.insert(contentsOf: taken, at: 0)
    }
    result.children = merged
    return result
  }

  /// What stands here and below, after what that took the place of. An empty map says nothing.
  private var leaves: [Leaf] {
    guard let children else { return overridden + [leaf] }
    return overridden + children.sorted { $0.key < $1.key }.flatMap(\.value.leaves)
  }

  /// Calls `visit` for every value, in the order of the paths.
  func visit(_ inherited: [Leaf] = [], _ visit: (Leaf, [Leaf]) -> Void) {
    guard let children, !children.isEmpty else { return visit(leaf, inherited + overridden) }
    var inherited = inherited + overridden
    for (_, tree) in children.sorted(by: { $0.key < $1.key }) {
      tree.visit(inherited, visit)
      inherited = []
    }
  }

  /// The values; null, which stands for the default, leaves its key out.
  var values: RecipeValue? {
    guard let children else { return leaf.value == .null ? nil : leaf.value }
    return .map(children.compactMapValues(\.values))
  }
}
