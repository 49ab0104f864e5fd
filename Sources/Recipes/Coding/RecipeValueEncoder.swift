/// Turns typed values into a tree of ``RecipeValue`` directly. A `Float` becomes the number that
/// people write for it, 0.1 and not 0.10000000149; one that is not finite has none and is an error.
struct RecipeValueEncoder: Encoder {
  /// A value that is being made.
  fileprivate final class Node {
    enum Content {
      case value(RecipeValue)
      case list([Node])
      case map([String: Node])
    }
    var content = Content.value(.null)

    var value: RecipeValue {
      switch content {
      case .value(let value): value
      case .list(let nodes): .list(nodes.map(\.value))
      case .map(let nodes): .map(nodes.mapValues(\.value))
      }
    }
  }

  fileprivate let node: Node
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// The tree of `value`.
  static func encode(_ value: some Encodable) throws -> RecipeValue {
    let encoder = RecipeValueEncoder(node: Node(), codingPath: [])
    try encoder.set(value)
    return encoder.node.value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedRecipeNodes<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedRecipeNodes(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleRecipeNode(encoder: self)
  }

  /// Makes `value` the value here.
  fileprivate func set(_ value: some Encodable) throws {
    switch value {
    case let bool as Bool: node.content = .value(.bool(bool))
    case let text as String: node.content = .value(.text(text))
    case let number as Double: try set(number: number)
    case let number as Float: try set(number: Double("\(number)") ?? Double(number))
    case let number as any BinaryInteger: try set(number: Double(number))
    default: try value.encode(to: self)
    }
  }

  private func set(number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: codingPath, debugDescription: "\(number) is no number"))
    }
    node.content = .value(.number(number))
  }

  /// The encoder of the value of `key` in the map here.
  fileprivate func child(_ key: some CodingKey) -> RecipeValueEncoder {
    var map: [String: Node] = [:]
    if case .map(let known) = node.content { map = known }
    let child = Node()
    map[key.stringValue] = child
    node.content = .map(map)
    return RecipeValueEncoder(node: child, codingPath: codingPath + [key])
  }

  /// The encoder of one more value of the list here.
  fileprivate func next() -> RecipeValueEncoder {
    var list: [Node] = []
    if case .list(let known) = node.content { list = known }
    let child = Node()
    node.content = .list(list + [child])
    return RecipeValueEncoder(
      node: child, codingPath: codingPath + [ListItemKey(list.count)])
  }
}

private struct KeyedRecipeNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RecipeValueEncoder

  init(encoder: RecipeValueEncoder) {
    self.encoder = encoder
    if case .map = encoder.node.content { return }
    encoder.node.content = .map([:])
  }

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws { _ = encoder.child(key) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.child(key).set(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.child(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.child(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

private struct UnkeyedRecipeNodes: UnkeyedEncodingContainer {
  let encoder: RecipeValueEncoder

  init(encoder: RecipeValueEncoder) {
    self.encoder = encoder
    if case .list = encoder.node.content { return }
    encoder.node.content = .list([])
  }

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { if case .list(let list) = encoder.node.content { list.count } else { 0 } }

  mutating func encodeNil() throws { _ = encoder.next() }

  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.next().set(value) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.next().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.next() }
}

private struct SingleRecipeNode: SingleValueEncodingContainer {
  let encoder: RecipeValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws { encoder.node.content = .value(.null) }

  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.set(value) }
}
