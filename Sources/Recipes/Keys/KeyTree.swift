/// The table of keys as a tree, in the shape of a recipe.
struct KeyTree: Sendable {
  /// The key of a value; nil for a map of keys.
  private(set) var key: RecipeKey?
  /// The keys of a map. `*` is any other name, and each item of a list.
  private(set) var children: [String: KeyTree] = [:]

  static let recipe: KeyTree = {
    var root = KeyTree(RecipeKey.all.filter { !$0.path.hasPrefix("rules.") })
    // A rule has the keys of a recipe, and its conditions.
    var rule = KeyTree(RecipeKey.effective)
    for name in ["name", "description"] { rule.children[name] = root.children[name] }
    rule.children["match"] = KeyTree(RecipeKey.all)["rules"]?["match"]
    root.children["rules"]?.children["*"] = rule
    return root
  }()

  private init(_ keys: [RecipeKey] = []) {
    for key in keys { insert(key, key.path.split(separator: ".").map(String.init)[...]) }
  }

  private mutating func insert(_ key: RecipeKey, _ path: ArraySlice<String>) {
    guard let name = path.first else { return self.key = key }
    children[name, default: KeyTree()].insert(key, path.dropFirst())
  }

  /// The node of the key `name`; nil for an unknown key.
  subscript(name: String) -> KeyTree? { children[name] ?? children["*"] }

  /// The node at `path`; nil for an unknown key.
  subscript(path: RecipePath) -> KeyTree? {
    path.steps.reduce(self as KeyTree?) { tree, step in
      switch step {
      case .key(let name): tree?[name]
      case .item: tree?.children["*"]
      }
    }
  }
}
