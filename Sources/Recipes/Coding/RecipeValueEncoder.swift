/// Turns typed values directly into a tree of ``RecipeValue``. A `Float` becomes the shortest
/// decimal number that reads back as the same, 0.1 and not 0.10000000149; NaN and infinity are
/// errors.
struct RecipeValueEncoder: Encoder, SingleValueEncodingContainer {
  /// A value that is being written; tells the one that contains it of each change.
  fileprivate final class Target {
    var value = RecipeValue.null { didSet { changed(value) } }
    let changed: (RecipeValue) -> Void
    init(changed: @escaping (RecipeValue) -> Void = { _ in }) { self.changed = changed }
  }

  fileprivate let target: Target
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  static func encode(_ value: some Encodable) throws -> RecipeValue {
    let encoder = RecipeValueEncoder(target: Target(), codingPath: [])
    try encoder.encode(value)
    return encoder.target.value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .map = target.value {} else { target.value = .map([:]) }
    return KeyedEncodingContainer(KeyedRecipeTargets<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = target.value {} else { target.value = .list([]) }
    return UnkeyedRecipeTargets(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { target.value = .null }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let bool as Bool: target.value = .bool(bool)
    case let text as String: target.value = .text(text)
    case let number as Double: try encode(number: number)
    case let number as Float: try encode(number: Double("\(number)") ?? Double(number))
    case let number as any BinaryInteger: try encode(number: Double(number))
    default: try value.encode(to: self)
    }
  }

  private func encode(number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: codingPath, debugDescription: "\(number) is no number"))
    }
    target.value = .number(number)
  }

  /// An encoder of the value of `key` in the map here.
  fileprivate func child(_ key: some CodingKey) -> RecipeValueEncoder {
    let child = Target { [target] in target.value[key.stringValue] = $0 }
    return RecipeValueEncoder(target: child, codingPath: codingPath + [key])
  }

  /// The items of the list here.
  fileprivate var list: [RecipeValue] {
    if case .list(let list) = target.value { list } else { [] }
  }

  /// An encoder of one more item of the list here.
  fileprivate func next() -> RecipeValueEncoder {
    let list = list
    let child = Target { [target] in target.value = .list(list + [$0]) }
    return RecipeValueEncoder(target: child, codingPath: codingPath + [ListItemKey(list.count)])
  }
}

private struct KeyedRecipeTargets<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RecipeValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.child(key).encodeNil() }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.child(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

private struct UnkeyedRecipeTargets: UnkeyedEncodingContainer {
  let encoder: RecipeValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.list.count }

  func encodeNil() { encoder.next().encodeNil() }

  func encode<T: Encodable>(_ value: T) throws { try encoder.next().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.next().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.next() }
}
