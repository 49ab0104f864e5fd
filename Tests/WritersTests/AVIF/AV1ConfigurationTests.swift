import Codecs
import Containers
import Formats
import Testing

@testable import Writers

struct AV1ConfigurationTests {
  /// Profile 1, level 8 (4.0), reduced header of a still.
  private static let header: [UInt8] = [0x0A, 3, 0x3A, 0x00, 0x55]

  @Test("Temporal delimiters are dropped, other units retained")
  func item() {
    let frame: [UInt8] = [0x32, 0x81, 0x00, 7]
    #expect(AV1Configuration.item([0x12, 0] + Self.header + frame) == Self.header + frame)
    #expect(AV1Configuration.item([]) == [])
  }

  @Test(
    "What is no AV1 has no items and no record",
    arguments: [
      [0x12], [0x92, 0], [0x10, 0], [0x32, 5, 1], [0x32, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x36], [0x32, 0x80],
    ] as [[UInt8]])
  func damaged(bytes: [UInt8]) {
    #expect(AV1Configuration.item(bytes) == nil)
    #expect(
      AV1Configuration.record(
        bytes, bits: 8, chromaFormat: ChromaFormat.yuv420.rawValue, position: 0) == nil)
  }

  @Test("The configuration record repeats the sequence header")
  func record() {
    let made = AV1Configuration.record(
      Self.header, bits: 10, chromaFormat: ChromaFormat.yuv444.rawValue, position: 0)
    #expect(made == [0x81, 0x28, 0x40, 0])
    let gray = AV1Configuration.record(
      Self.header, bits: 8, chromaFormat: ChromaFormat.monochrome.rawValue, position: 0)
    #expect(gray == [0x81, 0x28, 0x1C, 0])
    let subsampled = AV1Configuration.record(
      Self.header, bits: 12, chromaFormat: ChromaFormat.yuv420.rawValue, position: 2)
    #expect(subsampled == [0x81, 0x28, 0x6E, 0])
    // A header that is not of a still, and none.
    #expect(
      AV1Configuration.record(
        [0x0A, 2, 0x20, 0], bits: 8, chromaFormat: ChromaFormat.yuv420.rawValue, position: 0) == nil
    )
    #expect(
      AV1Configuration.record(
        [0x32, 0], bits: 8, chromaFormat: ChromaFormat.yuv420.rawValue, position: 0) == nil)
  }

  @Test("Profile and level decide the brand")
  func brand() {
    func record(_ profile: UInt8, _ level: UInt8) -> [UInt8] { [0x81, profile << 5 | level, 0, 0] }
    #expect(AV1Configuration.brand([record(0, 13)]) == "MA1B")
    #expect(AV1Configuration.brand([record(0, 14)]) == "MA1A")
    #expect(AV1Configuration.brand([record(1, 5), record(0, 5)]) == "MA1A")
    #expect(AV1Configuration.brand([record(1, 16)]) == "MA1A")
    #expect(AV1Configuration.brand([record(1, 17)]) == nil)
    #expect(AV1Configuration.brand([record(0, 5), record(2, 5)]) == nil)
    #expect(AV1Configuration.brand([]) == nil && AV1Configuration.brand([[]]) == nil)
  }
}
