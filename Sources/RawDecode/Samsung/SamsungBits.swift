/// The bits of one row of ``SamsungBlockDecoder``: little-endian 32-bit words, read from their most
/// significant bit.
///
/// `window` holds the next bits at its top. Zeros follow the end, which ``isPastEnd`` reports. It
/// never reads outside its bytes; they must outlive it.
@safe struct SamsungBits {
  private let bytes: ByteView
  /// Start of the row, and the next word.
  private let start: Int
  private var next: Int
  private var window: UInt64 = 0
  private var available = 0

  /// Reads `bytes` from `start` on.
  init(_ bytes: ByteView, at start: Int) {
    (self.bytes, self.start, next) = (bytes, start, start)
  }

  /// Bytes of all words read so far.
  var used: Int { (8 * (next - start) - available + 31) / 32 * 4 }

  /// Whether bits beyond the end were used.
  var isPastEnd: Bool { start + used > bytes.count }

  /// The next `count` bits, 0 to 16, as a number.
  @inline(__always)
  mutating func bits(_ count: Int) -> Int {
    if available < 32 { refill() }
    let value = (window &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count)
    window = window &<< UInt64(truncatingIfNeeded: count)
    available &-= count
    return Int(truncatingIfNeeded: value)
  }

  /// The next `count` bits, 0 to 16, as a number in two's complement.
  @inline(__always)
  mutating func signed(_ count: Int) -> Int {
    let value = bits(count)
    return value &- (value &<< 1 & 1 &<< count)
  }

  @inline(__always)
  private mutating func refill() {
    if next &+ 4 <= bytes.count {
      let word = UInt32(littleEndian: bytes.load(UInt32.self, at: next))
      window |= UInt64(word) &<< UInt64(truncatingIfNeeded: 32 &- available)
    }
    next &+= 4
    available &+= 32
  }
}
