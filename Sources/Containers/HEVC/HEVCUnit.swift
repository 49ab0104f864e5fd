/// NAL units of H.265 (7.3.1): a header of two bytes and a payload in which two zeros are never
/// followed by a byte below 4, by a byte of 3 put between.
package enum HEVCUnit {
  /// Kinds of units (table 7-1).
  package enum Kind: UInt8, Sendable {
    case instantaneousPicture = 20
    case video = 32
    case sequence = 33
    case picture = 34
  }

  /// The bytes of `unit` without emulation prevention bytes.
  static func payload(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// The number of a picture parameter set (7.3.2.3).
  static func number(ofPictureSet unit: ArraySlice<UInt8>) -> Int {
    var reader = BitReader(payload(unit.prefix(longestStart)))
    reader.skip(16)
    return reader.exponentialGolomb()
  }

  /// The number of the set that the first slice of a picture names (7.3.6.1); nil for later slices.
  static func pictureSet(ofFirstSlice unit: ArraySlice<UInt8>) -> Int? {
    var reader = BitReader(payload(unit.prefix(longestStart)))
    reader.skip(1)
    let type = reader.bits(6)
    reader.skip(9)
    guard reader.bit() else { return nil }
    // For pictures at which decoding may start: whether earlier ones are output.
    if 16...23 ~= type { reader.skip(1) }
    return reader.exponentialGolomb()
  }

  /// Bytes that the IDs of sets lie within, including emulation prevention bytes.
  private static let longestStart = 16

  /// A unit with these parts as its payload; the last must not end with a zero.
  package static func bytes(_ kind: Kind, _ payload: UnsafeRawBufferPointer...) -> [UInt8] {
    let length = unsafe payload.reduce(0) { $0 + $1.count }
    var result: [UInt8] = []
    result.reserveCapacity(2 + length + length / 64)
    result += [kind.rawValue << 1, 1]
    var zeros = 0
    for index in unsafe 0..<payload.count {
      let part = unsafe payload[index]
      for position in 0..<part.count {
        let byte = unsafe part[position]
        if zeros >= 2, byte <= 3 {
          result.append(3)
          zeros = 0
        }
        zeros = byte == 0 ? zeros &+ 1 : 0
        result.append(byte)
      }
    }
    return result
  }
}
