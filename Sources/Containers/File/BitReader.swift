/// Reads bits, highest first (ITU-T H.265 9.1, AV1 4.10). After the end all bits are 0 and
/// ``isExhausted`` is set, so that the caller checks once.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Whether more was read than available.
  var isExhausted: Bool { position > bytes.count * 8 }

  mutating func bit() -> Bool { bits(1) == 1 }

  /// An unsigned number of up to 32 bits.
  mutating func bits(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let byte = position / 8
      let one = byte < bytes.count ? Int(bytes[byte] >> UInt8(7 - position % 8)) & 1 : 0
      value = value << 1 | one
      position = min(position + 1, bytes.count * 8 + 1)
    }
    return value
  }

  mutating func skip(_ count: Int) { position = min(position + count, bytes.count * 8 + 1) }

  /// ue(v) of H.265 and uvlc() of AV1.
  mutating func exponentialGolomb() -> Int {
    var zeros = 0
    while zeros < 32, !isExhausted, !bit() { zeros += 1 }
    return zeros >= 32 ? Int(UInt32.max) : (1 << zeros) - 1 + bits(zeros)
  }
}
