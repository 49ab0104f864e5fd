extension Float {
  /// IEEE 754 half precision: 1 sign, 5 exponent (bias 15), 10 fraction bits; 0 for NaN and
  /// infinities. The bits are moved to their positions in a float, whose bias is 112 higher.
  @inlinable @inline(__always)
  package init(half bits: UInt16) {
    let magnitude = Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
    let value = bits & 0x7C00 == 0x7C00 ? 0 : magnitude
    self.init(bitPattern: value.bitPattern | UInt32(bits & 0x8000) << 16)
  }

  /// The same with infinities and NaN.
  package init(anyHalf bits: UInt16) {
    guard bits & 0x7C00 == 0x7C00 else {
      self.init(half: bits)
      return
    }
    self = bits & 0x3FF != 0 ? .nan : bits & 0x8000 == 0 ? .infinity : -.infinity
  }

  /// The 24 bits of DNG and TIFF: 1 sign, 7 exponent (bias 63), 16 fraction bits; 0 for NaN and
  /// infinity.
  @inlinable @inline(__always)
  package init(stored24 bits: UInt32) {
    let magnitude = Float(bitPattern: (bits & 0x7F_FFFF) << 7) * 0x1p64
    let value = bits & 0x7F_0000 == 0x7F_0000 ? 0 : magnitude
    self.init(bitPattern: value.bitPattern | (bits & 0x80_0000) << 8)
  }

  /// The bits of a positive number that a half holds exactly.
  package var halfBits: UInt16 {
    UInt16(truncatingIfNeeded: (self * 0x1p-112).bitPattern >> 13)
  }
}
