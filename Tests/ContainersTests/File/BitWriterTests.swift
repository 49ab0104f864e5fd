import Testing

@testable import Containers

struct BitWriterTests {
  @Test("A reader returns what was written")
  func roundTrip() {
    var writer = BitWriter()
    writer.bits(3, 5)
    writer.bit(true)
    for value in [0, 1, 6, 7, 511, 65_535] { writer.exponentialGolomb(value) }
    for value in [0, 1, -1, 2, -26] { writer.signedExponentialGolomb(value) }
    writer.bits(32, 0xDEAD_BEEF)
    writer.stop()
    var reader = BitReader(writer.bytes)
    #expect(reader.bits(3) == 5 && reader.bit())
    #expect((0..<6).map { _ in reader.exponentialGolomb() } == [0, 1, 6, 7, 511, 65_535])
    // Signed numbers are counted 0, 1, -1, 2, -2 … (table 9-3).
    #expect((0..<5).map { _ in reader.exponentialGolomb() } == [0, 1, 2, 3, 52])
    #expect(reader.bits(32) == 0xDEAD_BEEF && reader.bit())
    #expect(!reader.isExhausted)
  }

  @Test("Units hold any payload")
  func escaping() {
    let payload: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 255]
    let unit = payload.withUnsafeBytes { HEVCUnit.bytes(.sequence, $0) }
    #expect(unit == [66, 1, 0, 0, 3, 0, 0, 3, 0, 1, 0, 0, 3, 2, 0, 0, 3, 3, 0, 0, 4, 255])
    #expect(HEVCUnit.payload(unit[2...]) == payload)
    let parts = payload[..<2].withUnsafeBytes { first in
      payload[2...].withUnsafeBytes { HEVCUnit.bytes(.sequence, first, $0) }
    }
    #expect(parts == unit)
  }
}
