import ImageCore
import Testing

@testable import RawDecode

@Suite struct SamsungBitsTests {
  /// Any sequence of lengths gives the bits of the words, most significant first.
  @Test func bitsAreThoseOfTheWords() {
    let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
    let all: [Int] = (0..<512).map { bit in
      let byte = bytes[(bit / 8) ^ 3]
      return Int(byte >> (7 - bit % 8)) & 1
    }
    let memory = RowMemory<UInt8>(count: bytes.count)
    for (i, byte) in bytes.enumerated() { memory.row[i] = byte }
    for start in [0, 16] {
      for step in 1...16 {
        var bits = SamsungBits(ByteView(memory.row), at: start)
        var (at, length) = (8 * start, step)
        while at + length <= all.count {
          let expected = all[at..<at + length].reduce(0) { 2 * $0 + $1 }
          if at % 3 == 0 {
            let sign = length == 0 ? 0 : all[at]
            #expect(bits.signed(length) == expected - (sign << length))
          } else {
            #expect(bits.bits(length) == expected)
          }
          at += length
          length = (length + step) % 17
          #expect(bits.used == (at + 31) / 32 * 4 - start)
          #expect(!bits.isPastEnd)
        }
        _ = bits.bits(16)
        _ = bits.bits(16)
        #expect(bits.isPastEnd)
      }
    }
  }
}
