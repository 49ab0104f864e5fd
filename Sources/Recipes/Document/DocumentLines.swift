/// The lines of a document, from 1, in the shape of its values.
public struct DocumentLines: Sendable, Hashable {
  /// Line of the key, or of the item of a list.
  public var line: Int
  /// What a map holds.
  public var keys: [String: DocumentLines]
  /// What a list holds.
  public var items: [DocumentLines]

  /// A value at `line`, with what it holds.
  public init(
    _ line: Int, keys: [String: DocumentLines] = [:], items: [DocumentLines] = []
  ) {
    self.line = line
    self.keys = keys
    self.items = items
  }

  /// What is known of `path`; nil where the document says nothing.
  public subscript(path: RecipePath) -> DocumentLines? {
    path.steps.reduce(self as DocumentLines?) { lines, step in
      switch step {
      case .key(let key): lines?.keys[key]
      case .item(let item): lines.flatMap { $0.items.indices.contains(item) ? $0.items[item] : nil }
      }
    }
  }

  /// Line of `path`, else that of the nearest thing around it.
  public func line(of path: RecipePath) -> Int {
    var path = path
    while !path.steps.isEmpty {
      if let found = self[path] { return found.line }
      path.steps.removeLast()
    }
    return line
  }
}
