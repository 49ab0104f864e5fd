/// The line numbers of a document, from 1, in the structure of its values.
public struct DocumentLines: Sendable, Hashable {
  /// Line of the key or of the item.
  public var line: Int
  /// Lines of a map's values.
  public var keys: [String: DocumentLines]
  /// Lines of a list's items.
  public var items: [DocumentLines]

  /// The lines of a value whose key or item is at `line`.
  public init(
    _ line: Int, keys: [String: DocumentLines] = [:], items: [DocumentLines] = []
  ) {
    (self.line, self.keys, self.items) = (line, keys, items)
  }

  /// The lines of the value at `path`; nil where the document has none.
  public subscript(path: RecipePath) -> DocumentLines? {
    path.steps.reduce(self as DocumentLines?) { lines, step in
      switch step {
      case .key(let key): lines?.keys[key]
      case .item(let item): lines.flatMap { $0.items.indices.contains(item) ? $0.items[item] : nil }
      }
    }
  }

  /// Line of the value at `path`, otherwise of the nearest map or list around it.
  public func line(of path: RecipePath) -> Int {
    var path = path
    while !path.steps.isEmpty {
      if let found = self[path] { return found.line }
      path.steps.removeLast()
    }
    return line
  }
}
