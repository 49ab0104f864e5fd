/// The position of a value in a recipe: keys and indices of lists, from the root.
public struct RecipePath: Sendable, Hashable, Comparable {
  /// One level down.
  public enum Step: Sendable, Hashable {
    /// Into a map.
    case key(String)
    /// Into a list, from 0.
    case item(Int)
  }

  /// The steps from the root.
  public var steps: [Step]

  /// A path; without steps, the path of the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// A path through maps only.
  public init(keys: String...) { steps = keys.map { .key($0) } }

  /// The path of the value of `key` in the map at this path.
  public func appending(_ key: String) -> RecipePath { RecipePath(steps + [.key(key)]) }

  /// The path of an item of the list at this path.
  public func appending(item: Int) -> RecipePath { RecipePath(steps + [.item(item)]) }

  /// The absolute form of `path`, which is relative to this one.
  public func appending(_ path: RecipePath) -> RecipePath { RecipePath(steps + path.steps) }

  /// The last key; empty for the root and for an item of a list.
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
  /// `rules[0].raw.exposure`; keys that are no plain names are quoted.
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
