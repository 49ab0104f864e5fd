/// The table of keys in the shape of a recipe.
struct KeyTree: Sendable {
  /// What a value takes; nil for a map of keys.
  var key: RecipeKey?
  /// The keys of a map, or of a rule.
  var children: [String: KeyTree] = [:]
  /// What every other name of a map stands for: outputs are named by those who write them.
  var any: Tree?

  /// A value of the tree's own kind.
  final class Tree: Sendable {
    let tree: KeyTree
    init(_ tree: KeyTree) { self.tree = tree }
  }

  /// Of a recipe.
  static let recipe: KeyTree = {
    var root = KeyTree(RecipeKey.all.filter { !$0.path.hasPrefix("rules.") })
    // A rule holds what a recipe holds, and what it matches.
    var rule = KeyTree(RecipeKey.effective)
    rule.children["match"] =
      KeyTree(RecipeKey.all.filter { $0.path.hasPrefix("rules.match.") })
      .children["rules"]?.children["match"]
    rule.children["name"] = root.children["name"]
    rule.children["description"] = root.children["description"]
    root.children["rules"]?.any = Tree(rule)
    return root
  }()

  private init() {}

  private init(_ keys: [RecipeKey]) {
    for key in keys { insert(key, key.path.split(separator: ".").map(String.init)[...]) }
  }

  private mutating func insert(_ key: RecipeKey, _ path: ArraySlice<String>) {
    guard let name = path.first else { return self.key = key }
    if name == "*" {
      var tree = any?.tree ?? KeyTree()
      tree.insert(key, path.dropFirst())
      any = Tree(tree)
    } else {
      children[name, default: KeyTree()].insert(key, path.dropFirst())
    }
  }

  /// What stands at `path`; nil for what is not known.
  subscript(path: RecipePath) -> KeyTree? {
    var tree = self
    for step in path.steps {
      switch step {
      case .key(let name):
        guard let next = tree.children[name] ?? tree.any?.tree else { return nil }
        tree = next
      case .item:
        guard let next = tree.any?.tree else { return nil }
        tree = next
      }
    }
    return tree
  }
}
