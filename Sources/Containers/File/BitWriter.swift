/// Writes bits, highest first, as ``BitReader`` reads them.
struct BitWriter {
  /// Complete bytes; the last is padded with zeros.
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// The lowest `count` bits of `value`, at most 32.
  mutating func bits(_ count: Int, _ value: Int) {
    for shift in stride(from: count - 1, through: 0, by: -1) {
      if self.count % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> shift & 1) << UInt8(7 - self.count % 8)
      self.count += 1
    }
  }

  mutating func bit(_ value: Bool) { bits(1, value ? 1 : 0) }

  /// ue(v) of H.265.
  mutating func exponentialGolomb(_ value: Int) {
    let length = Int.bitWidth - (value + 1).leadingZeroBitCount
    bits(length - 1, 0)
    bits(length, value + 1)
  }

  /// se(v) of H.265.
  mutating func signedExponentialGolomb(_ value: Int) {
    exponentialGolomb(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /// ns(n) of AV1: a value below `count`, in as few bits as all values of equal probability take.
  mutating func uniform(_ value: Int, of count: Int) {
    let length = Int.bitWidth - count.leadingZeroBitCount
    let short = 1 << length - count
    if value < short {
      bits(length - 1, value)
    } else {
      bits(length, value + short)
    }
  }

  /// A one, then zeros to a byte boundary.
  mutating func stop() {
    bit(true)
    fill()
  }

  /// Zeros to a byte boundary.
  mutating func fill() {
    while count % 8 != 0 { bit(false) }
  }
}
