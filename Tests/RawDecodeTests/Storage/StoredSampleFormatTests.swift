import ImageCore
import Testing

@testable import RawDecode

@Suite struct StoredSampleFormatTests {
  func read(_ bits: Int, _ bytes: [UInt8], bigEndian: Bool = true) throws -> [Float] {
    var file = StoredFile(
      size: PixelSize(width: bytes.count * 8 / bits, height: 1), bits: bits, isFloat: true,
      bigEndian: bigEndian, tile: nil)
    file.codes = [UInt32](repeating: 0, count: file.size.width)
    return try RawFile.open(bytes: try file.bytes { $0 = [bytes] }).decode().allNumbers
  }

  @Test func everyHalfFloat() throws {
    let values = try read(16, (0...65535).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
    for (code, value) in values.enumerated() {
      let half = Float16(bitPattern: UInt16(code))
      #expect(value == (half.isFinite ? Float(half) : 0))
    }
  }

  @Test func floatsOf24Bits() throws {
    let cases: [([UInt8], Float)] = [
      ([0x3F, 0, 0], 1), ([0xBF, 0x80, 0], -1.5), ([0x40, 0, 1], 2 + 0x1p-15),
      ([0, 0, 1], 0x1p-78), ([0x7E, 0xFF, 0xFF], 0x1p63 * (2 - 0x1p-16)), ([0x7F, 0, 0], 0),
      ([0xFF, 0x12, 0], 0), ([0x80, 0, 0], 0), ([0x01, 0, 0], 0x1p-62),
    ]
    #expect(try read(24, cases.flatMap(\.0)) == cases.map(\.1))
    #expect(
      try read(24, cases.flatMap { $0.0.reversed() }, bigEndian: false) == cases.map(\.1))
  }

  @Test func nonFiniteFloatsAreZero() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, -2.5, .leastNonzeroMagnitude]
    let bytes = values.flatMap { value in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    #expect(try read(32, bytes) == [0, 0, 0, -2.5, .leastNonzeroMagnitude])
  }
}
