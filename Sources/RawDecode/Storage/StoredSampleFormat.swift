import ImageCore

/// The byte representation of the samples of a row (TIFF 6.0; DNG 1.7.1 chapter 3): integers of 8,
/// 16 and 32 bits in the byte order of the file, integers of any other width packed from the most
/// significant bit on, floats of 16, 24 and 32 bits. Rows are byte-aligned.
struct StoredSampleFormat: Sendable {
  let bits: Int
  let isFloat: Bool
  var bigEndian: Bool

  init(_ storage: RawStorage, bigEndian: Bool) {
    bits = storage.bitsPerSample
    isFloat = storage.isFloat
    self.bigEndian = bigEndian
  }

  /// Bytes in a row of `count` samples.
  func byteCount(_ count: Int) -> Int { (count * bits + 7) / 8 }
}

/// The type of a decoded sample.
protocol StoredSample: RawSample, AdditiveArithmetic {
  /// Reads as many samples as fit into `row` from the start of `bytes`.
  static func read(_ bytes: ByteView, _ numbers: StoredSampleFormat, into row: SampleRow<Self>)

  /// The value, or 0 if it is NaN or infinite.
  var orZero: Self { get }

  /// The value mapped by `table` of 65 536 entries.
  func looked(up table: Span<UInt16>) -> Self
}

extension UInt16: StoredSample {
  @inline(__always)
  var orZero: UInt16 { self }

  @inline(__always)
  func looked(up table: Span<UInt16>) -> UInt16 { unsafe table[unchecked: Int(self)] }

  static func read(
    _ bytes: ByteView, _ numbers: StoredSampleFormat, into row: SampleRow<UInt16>
  ) {
    let count = row.count
    switch numbers.bits {
    case 8: for i in 0..<count { row[i] = UInt16(bytes[i]) }
    case 16:
      bytes.copy(to: row)
      if numbers.bigEndian { for i in 0..<count { row[i] = row[i].byteSwapped } }
    // The common bit widths as constants, for speed.
    case 10: PackedBits.forEach(10, bytes, count) { row[$0] = UInt16(truncatingIfNeeded: $1) }
    case 12: PackedBits.forEach(12, bytes, count) { row[$0] = UInt16(truncatingIfNeeded: $1) }
    case 14: PackedBits.forEach(14, bytes, count) { row[$0] = UInt16(truncatingIfNeeded: $1) }
    default:
      PackedBits.forEach(numbers.bits, bytes, count) { row[$0] = UInt16(truncatingIfNeeded: $1) }
    }
  }
}

extension Float: StoredSample {
  @inline(__always)
  var orZero: Float { isFinite ? self : 0 }

  /// Floats cannot index a table.
  @inline(__always)
  func looked(up table: Span<UInt16>) -> Float { self }

  static func read(
    _ bytes: ByteView, _ numbers: StoredSampleFormat, into row: SampleRow<Float>
  ) {
    let big = numbers.bigEndian
    func word<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ i: Int) -> T {
      let value = bytes.load(type, at: i &* MemoryLayout<T>.size)
      return big ? value.byteSwapped : value
    }
    switch (numbers.isFloat, numbers.bits) {
    case (true, 16): for i in 0..<row.count { row[i] = Float(half: word(UInt16.self, i)) }
    case (true, 24):
      for i in 0..<row.count {
        let (a, b, c) = (bytes[3 &* i], bytes[3 &* i &+ 1], bytes[3 &* i &+ 2])
        let (high, low) = big ? (a, c) : (c, a)
        row[i] = Float(stored24: UInt32(high) << 16 | UInt32(b) << 8 | UInt32(low))
      }
    case (true, _):
      for i in 0..<row.count { row[i] = Float(bitPattern: word(UInt32.self, i)).orZero }
    case (false, 32): for i in 0..<row.count { row[i] = Float(word(UInt32.self, i)) }
    case (false, let bits):
      PackedBits.forEach(bits, bytes, row.count) { row[$0] = Float(UInt32(truncatingIfNeeded: $1)) }
    }
  }
}

/// Packed integers of 1 to 32 bits, starting at the most significant bit.
enum PackedBits {
  /// Passes each of the first `count` numbers of `bytes` to `body` with its index.
  @inline(__always)
  static func forEach(
    _ bits: Int, _ bytes: ByteView, _ count: Int, _ body: (Int, UInt64) -> Void
  ) {
    let shift = UInt64(64 &- bits)
    // While 8 bytes can be read at once.
    let fast = min(count, max(0, (bytes.count - 8) * 8 / bits))
    for i in 0..<fast {
      let position = i &* bits
      let window = UInt64(
        bigEndian: bytes.load(UInt64.self, at: position &>> 3))
      body(i, (window &<< UInt64(position & 7)) &>> shift)
    }
    for i in fast..<count {
      var value: UInt64 = 0
      for position in i * bits..<(i + 1) * bits {
        value = value << 1 | UInt64(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      }
      body(i, value)
    }
  }
}
