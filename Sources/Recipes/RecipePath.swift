/// Where a value stands in a recipe: keys and places in lists from the root.
public struct RecipePath: Sendable, Hashable, Comparable {
  /// One step down.
  public enum Step: Sendable, Hashable {
    /// Into a map.
    case key(String)
    /// Into a list, from 0.
    case item(Int)
  }

  /// The steps from the root.
  public var steps: [Step]

  /// The path of these steps; none for the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path of these keys.
  public init(keys: String...) { steps = keys.map { .key($0) } }

  /// The value of `key` in the map here.
  public func appending(_ key: String) -> RecipePath { RecipePath(steps + [.key(key)]) }

  /// The value at `item` in the list here.
  public func appending(item: Int) -> RecipePath { RecipePath(steps + [.item(item)]) }

  /// What lies at `path` from here.
  public func appending(_ path: RecipePath) -> RecipePath { RecipePath(steps + path.steps) }

  /// The last key; empty for the root and for a place in a list.
  public var name: String {
    if case .key(let key)? = steps.last { key } else { "" }
  }

  /// Order of the texts, step by step.
  public static func < (a: RecipePath, b: RecipePath) -> Bool {
    for (left, right) in zip(a.steps, b.steps) where left != right {
      switch (left, right) {
      case (.key(let x), .key(let y)): return x < y
      case (.item(let x), .item(let y)): return x < y
      case (.item, .key): return true
      case (.key, .item): return false
      }
    }
    return a.steps.count < b.steps.count
  }
}

extension RecipePath: CustomStringConvertible {
  /// `rules[0].raw.exposure`; keys that are no plain names stand in quotes.
  public var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .item(let item): text += "[\(item)]"
      case .key(let key):
        let isPlain = !key.isEmpty && key.utf8.allSatisfy { $0.isWordByte || $0 == 0x2D }
        text += (text.isEmpty ? "" : ".") + (isPlain ? key : RecipeText.quoted(key))
      }
    }
  }
}

extension UInt8 {
  /// Whether this is an ASCII letter, digit or `_`.
  var isWordByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: false
    }
  }
}

extension RecipeValue {
  /// The value at `path`; nil where there is none.
  public subscript(path: RecipePath) -> RecipeValue? {
    var value = self
    for step in path.steps {
      switch (step, value) {
      case (.key(let key), .map(let map)):
        guard let next = map[key] else { return nil }
        value = next
      case (.item(let item), .list(let list)) where list.indices.contains(item): value = list[item]
      default: return nil
      }
    }
    return value
  }
}
