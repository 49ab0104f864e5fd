/// The data of an opcode contradict their own length or hold numbers without meaning.
struct OpcodeDamage: Error {}

/// Reads the data of one opcode from the front: big-endian whatever the byte order of the file
/// (DNG 1.7.1 chapter 7). Nothing behind the end is ever read.
struct OpcodeReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Bytes that are left.
  var count: Int { rest.count }

  private mutating func bits(_ width: Int) throws(OpcodeDamage) -> UInt64 {
    guard rest.count >= width else { throw OpcodeDamage() }
    var value: UInt64 = 0
    for byte in rest.prefix(width) { value = value << 8 | UInt64(byte) }
    rest = rest.dropFirst(width)
    return value
  }

  /// An unsigned 32-bit integer.
  mutating func word() throws(OpcodeDamage) -> Int { Int(try bits(4)) }

  /// An unsigned 16-bit integer.
  mutating func short() throws(OpcodeDamage) -> UInt16 { UInt16(try bits(2)) }

  /// A 64-bit float that is a number.
  mutating func double() throws(OpcodeDamage) -> Double {
    let value = Double(bitPattern: try bits(8))
    guard value.isFinite else { throw OpcodeDamage() }
    return value
  }

  /// A 32-bit float that is a number.
  mutating func float() throws(OpcodeDamage) -> Float {
    let value = Float(bitPattern: UInt32(try bits(4)))
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

  /// Fails unless `count` things of `width` bytes are left; before anything is allocated for them.
  func require(_ count: Int, of width: Int) throws(OpcodeDamage) {
    guard count <= rest.count / width else { throw OpcodeDamage() }
  }

  /// The next `count` bytes.
  mutating func slice(_ count: Int) throws(OpcodeDamage) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw OpcodeDamage() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
