import Containers

/// Opcode data that contradict their declared length or contain invalid values.
struct OpcodeDamage: Error {}

/// Reads the data of one opcode sequentially. Big-endian regardless of the byte order of the file
/// (DNG 1.7.1 chapter 7). Never reads beyond the end.
struct OpcodeReader {
  private var cursor: ByteCursor

  init(_ bytes: ArraySlice<UInt8>) { cursor = ByteCursor(bytes, bigEndian: true) }

  private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(OpcodeDamage) -> T {
    guard let value = cursor.integer(type) else { throw OpcodeDamage() }
    return value
  }

  /// An unsigned 32-bit integer.
  mutating func word() throws(OpcodeDamage) -> Int { Int(try integer(UInt32.self)) }

  /// An unsigned 16-bit integer.
  mutating func short() throws(OpcodeDamage) -> UInt16 { try integer(UInt16.self) }

  /// A 64-bit finite float.
  mutating func double() throws(OpcodeDamage) -> Double {
    let value = Double(bitPattern: try integer(UInt64.self))
    guard value.isFinite else { throw OpcodeDamage() }
    return value
  }

  /// A 32-bit finite float.
  mutating func float() throws(OpcodeDamage) -> Float {
    let value = Float(bitPattern: try integer(UInt32.self))
    guard value.isFinite else { throw OpcodeDamage() }
    return value
  }

  /// `count` 64-bit floats.
  mutating func doubles(_ count: Int) throws(OpcodeDamage) -> [Double] {
    try require(count, of: 8)
    var values: [Double] = []
    for _ in 0..<count { values.append(try double()) }
    return values
  }

  /// `count` 32-bit floats.
  mutating func floats(_ count: Int) throws(OpcodeDamage) -> [Float] {
    try require(count, of: 4)
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try float()) }
    return values
  }

  /// Throws unless `count` values of `width` bytes remain; called before they are allocated.
  func require(_ count: Int, of width: Int) throws(OpcodeDamage) {
    guard count <= cursor.remaining / width else { throw OpcodeDamage() }
  }

  /// The next `count` bytes.
  mutating func slice(_ count: Int) throws(OpcodeDamage) -> ArraySlice<UInt8> {
    guard let bytes = cursor.slice(count) else { throw OpcodeDamage() }
    return bytes
  }
}
