/// Reads typed values out of a tree of ``RecipeValue`` directly.
///
/// Errors are `DecodingError`s whose coding path is the path of the wrong value in the recipe; see
/// ``RecipePath/init(_:)-(any CodingKey)``. A number is read as an integer only where it is whole
/// and in range; as a `Float` it is rounded to the nearest one.
struct RecipeValueDecoder: Decoder {
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

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleRecipeValue(decoder: self)
  }

  fileprivate func mismatch(_ type: any Any.Type, _ wanted: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "expected \(wanted), found \(value.kind)"))
  }
}

/// The values of a map.
private struct KeyedRecipeValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let map: [String: RecipeValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { map.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { map[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try T(from: decoder(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { RecipeValueDecoder(.map(map), at: codingPath) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> RecipeValueDecoder {
    guard let value = map[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such key"))
    }
    return RecipeValueDecoder(value, at: codingPath + [key])
  }
}

/// The values of a list, one after the other.
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
    guard try next().value == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try T(from: next())
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try next().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next()
    currentIndex += 1
    return decoder
  }

  private func next() throws -> RecipeValueDecoder {
    let path = codingPath + [ListItemKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        RecipeValue.self,
        DecodingError.Context(codingPath: path, debugDescription: "the list ends here"))
    }
    return RecipeValueDecoder(list[currentIndex], at: path)
  }
}

/// A value that is no list and no map.
private struct SingleRecipeValue: SingleValueDecodingContainer {
  let decoder: RecipeValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch type {
    case is Bool.Type:
      if case .bool(let bool) = decoder.value, let result = bool as? T { return result }
      throw decoder.mismatch(type, "true or false")
    case is String.Type:
      if case .text(let text) = decoder.value, let result = text as? T { return result }
      throw decoder.mismatch(type, "a text")
    case is Double.Type:
      if let result = try number(type) as? T { return result }
    case is Float.Type:
      if let result = Float(try number(type)) as? T { return result }
    case let integer as any FixedWidthInteger.Type:
      if let result = integer.init(whole: try number(type)) as? T { return result }
      throw decoder.mismatch(type, "a whole number")
    default: return try T(from: decoder)
    }
    throw decoder.mismatch(type, "\(type)")
  }

  private func number(_ type: any Any.Type) throws -> Double {
    guard case .number(let number) = decoder.value else {
      throw decoder.mismatch(type, "a number")
    }
    return number
  }
}

extension FixedWidthInteger {
  fileprivate init?(whole number: Double) { self.init(exactly: number) }
}

/// A place in a list, as a coding path names it.
struct ListItemKey: CodingKey {
  let item: Int
  init(_ item: Int) { self.item = item }
  init?(intValue: Int) { item = intValue }
  init?(stringValue: String) { return nil }
  var intValue: Int? { item }
  var stringValue: String { "\(item)" }
}

extension RecipePath {
  /// The place that a coding path names.
  init(_ codingPath: [any CodingKey]) {
    self.init(codingPath.map { key in key.intValue.map { .item($0) } ?? .key(key.stringValue) })
  }
}
