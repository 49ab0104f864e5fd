/// Reads typed values directly from a tree of ``RecipeValue``.
///
/// Errors are `DecodingError`s with the coding path of the wrong value in the recipe; see
/// ``RecipePath/init(_:)-(any CodingKey)``. A number is read as an integer only if it is one and in
/// range; as a `Float` it is rounded to nearest.
struct RecipeValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: RecipeValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ value: RecipeValue, at codingPath: [any CodingKey] = []) {
    (self.value, self.codingPath) = (value, codingPath)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch([String: RecipeValue].self, "a map") }
    return KeyedDecodingContainer(KeyedRecipeValues<Key>(map: map, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let list) = value else { throw mismatch([RecipeValue].self, "a list") }
    return UnkeyedRecipeValues(list: list, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let found: Any
    switch (type, value) {
    case (is Bool.Type, .bool(let bool)): found = bool
    case (is Bool.Type, _): throw mismatch(type, "true or false")
    case (is String.Type, .text(let text)): found = text
    case (is String.Type, _): throw mismatch(type, "a text")
    case (is Double.Type, .number(let number)): found = number
    case (is Float.Type, .number(let number)): found = Float(number)
    case (let integer as any FixedWidthInteger.Type, .number(let number)):
      found = integer.init(integral: number) as Any
    case (is Double.Type, _), (is Float.Type, _), (is any FixedWidthInteger.Type, _):
      throw mismatch(type, "a number")
    default: return try T(from: self)
    }
    guard let found = found as? T else { throw mismatch(type, "an integer") }
    return found
  }

  private func mismatch(_ type: any Any.Type, _ wanted: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: "expected \(wanted), found \(value.kind)"))
  }
}

extension FixedWidthInteger {
  fileprivate init?(integral number: Double) { self.init(exactly: number) }
}

private struct KeyedRecipeValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let map: [String: RecipeValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { map.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { map[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { RecipeValueDecoder(.map(map), at: codingPath) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  private func value(_ key: Key) throws -> RecipeValueDecoder {
    guard let value = map[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no such key"))
    }
    return RecipeValueDecoder(value, at: codingPath + [key])
  }
}

private struct UnkeyedRecipeValues: UnkeyedDecodingContainer {
  let list: [RecipeValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(list: [RecipeValue], codingPath: [any CodingKey]) {
    (self.list, self.codingPath) = (list, codingPath)
  }

  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex == list.count }

  mutating func decodeNil() throws -> Bool {
    let isNil = try next().decodeNil()
    if !isNil { currentIndex -= 1 }
    return isNil
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> RecipeValueDecoder {
    let path = codingPath + [ListItemKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        RecipeValue.self, .init(codingPath: path, debugDescription: "the list ends here"))
    }
    defer { currentIndex += 1 }
    return RecipeValueDecoder(list[currentIndex], at: path)
  }
}

/// The index of an item of a list in a coding path.
struct ListItemKey: CodingKey {
  let item: Int
  init(_ item: Int) { self.item = item }
  init?(intValue: Int) { item = intValue }
  init?(stringValue: String) { return nil }
  var intValue: Int? { item }
  var stringValue: String { "\(item)" }
}

extension RecipePath {
  /// The path for a coding path.
  init(_ codingPath: [any CodingKey]) {
    self.init(codingPath.map { key in key.intValue.map { .item($0) } ?? .key(key.stringValue) })
  }
}
