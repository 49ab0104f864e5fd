/// UUIDs that follow from what they name: the same bytes have the same UUID, always and everywhere
/// (RFC 9562, 5.5: version 5, by SHA-1, FIPS 180-4, which is no protection against forgery here).
package enum NameUUID {
  /// The namespace of rawdev's UUIDs: that of URNs (RFC 9562, 6.6).
  private static let namespace: [UInt8] = [
    0x6B, 0xA7, 0xB8, 0x12, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
  ]

  /// The UUID of `name`, 36 characters in lower case.
  package static func text(_ name: [UInt8]) -> String {
    var bytes = Array(SHA1.digest(namespace + name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }

  /// The UUID of these texts, in order.
  package static func text(_ names: [String]) -> String {
    text(names.flatMap { UInt64($0.utf8.count).bytes(bigEndian: true) + Array($0.utf8) })
  }
}

/// SHA-1 (FIPS 180-4, 6.1).
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let padding = (119 - message.count % 64) % 64
    let bytes =
      message + [0x80] + [UInt8](repeating: 0, count: padding)
      + UInt64(message.count * 8).bytes(bigEndian: true)
    var words = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: bytes.count, by: 64) {
      for index in 0..<16 {
        words[index] = bytes[(block + 4 * index)..<(block + 4 * index + 4)]
          .reduce(0) { $0 << 8 | UInt32($1) }
      }
      for index in 16..<80 {
        words[index] = rotated(
          words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (f, k): (UInt32, UInt32) =
          switch index {
          case ..<20: (b & c | ~b & d, 0x5A82_7999)
          case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        (a, b, c, d, e) = (rotated(a, 5) &+ f &+ e &+ k &+ words[index], a, rotated(b, 30), c, d)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { $0.bytes(bigEndian: true) }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}

extension FileBytes {
  /// A UUID of the file's content: of its length and of 64 chunks of 4 KiB spread evenly over it,
  /// including its first and last bytes, so that large files need not be read completely. Files of
  /// up to 256 KiB count in full.
  package var contentUUID: String {
    let (chunks, length) = (64, 4096)
    var name = UInt64(count).bytes(bigEndian: true)
    if count <= chunks * length {
      name += bytes(0, count) ?? []
    } else {
      for chunk in 0..<chunks {
        name += bytes((count - length) / (chunks - 1) * chunk, length) ?? []
      }
      name += bytes(count - length, length) ?? []
    }
    return NameUUID.text(name)
  }
}
