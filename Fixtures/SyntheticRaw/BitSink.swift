/// Bits, most significant first, appended to bytes.
struct BitSink {
  private(set) var bytes: [UInt8]
  /// Whether a 0 follows each 0xFF, as in JPEG.
  private let isStuffed: Bool
  private var pending: UInt64 = 0
  private var pendingBits: UInt32 = 0

  init(bytes: [UInt8] = [], isStuffed: Bool = false) {
    (self.bytes, self.isStuffed) = (bytes, isStuffed)
  }

  /// Appends the `count` lowest bits of `value`, up to 32, the others of which are 0.
  @inline(__always)
  mutating func put(_ value: UInt32, _ count: UInt32) {
    pending = (pending &<< UInt64(count)) | UInt64(value)
    pendingBits &+= count
    while pendingBits >= 8 {
      pendingBits &-= 8
      let byte = UInt8(truncatingIfNeeded: pending &>> UInt64(pendingBits))
      bytes.append(byte)
      if isStuffed, byte == 0xFF { bytes.append(0) }
    }
  }

  /// Appends `count` zeros and a one.
  mutating func putZeros(_ count: Int) {
    for _ in 0..<count { put(0, 1) }
    put(1, 1)
  }

  /// Fills the last byte with ones, or zeros where 0xFF is not stuffed.
  mutating func finish() {
    guard pendingBits > 0 else { return }
    let missing = 8 - pendingBits
    put(isStuffed ? (1 << missing) - 1 : 0, missing)
  }

  /// The bytes, of which each four are one little-endian number whose highest bits come first.
  mutating func words() -> [UInt8] {
    finish()
    while bytes.count % 4 != 0 { bytes.append(0) }
    return stride(from: 0, to: bytes.count, by: 4).flatMap { bytes[$0..<$0 + 4].reversed() }
  }
}

/// Bits, least significant first, appended to bytes.
struct LowBitSink {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingBits: UInt64 = 0

  /// Appends the `count` lowest bits of `value`, up to 32, the others of which are 0.
  mutating func put(_ value: UInt32, _ count: Int) {
    pending |= UInt64(value) << pendingBits
    pendingBits += UInt64(count)
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Fills with zeros up to a multiple of `count` bytes.
  mutating func align(_ count: Int) {
    if pendingBits > 0 { put(0, Int(8 - pendingBits)) }
    while bytes.count % count != 0 { bytes.append(0) }
  }
}
