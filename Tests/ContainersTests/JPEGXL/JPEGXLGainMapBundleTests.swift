import Containers
import ImageCore
import Testing

@Suite struct JPEGXLGainMapBundleTests {
  /// The bytes of libjxl's own test, except for the placeholders, with the start of a codestream.
  private static let known: [UInt8] =
    [0, 0, 5, 1, 2, 3, 4, 5, 3, 0x50, 0xB4, 0, 0, 0, 0, 4, 9, 8, 7, 6, 0xFF, 0x0A, 42]

  @Test func layoutIsThatOfLibjxl() throws {
    let bundle = try JPEGXLGainMapBundle(Self.known)
    #expect(bundle.record == [1, 2, 3, 4, 5] && bundle.colorEncoding == [0x50, 0xB4, 0])
    #expect(bundle.compressedProfile == [9, 8, 7, 6] && bundle.codestream == [0xFF, 0x0A, 42])
    #expect(bundle.bytes == Self.known)
    #expect(
      JPEGXLColorEncoding(bundle.colorEncoding) == JPEGXLColorEncoding(.srgb, transfer: 8))
    #expect(JPEGXLColorEncoding(.srgb, transfer: 8).bytes == [0x50, 0xB4, 0])
  }

  @Test func encodingsAreReadBack() {
    for primaries in [Primaries.srgb, .displayP3, .bt2020] {
      for transfer in [UInt16(1), 8, 13, 16, 18] {
        let encoding = JPEGXLColorEncoding(primaries, transfer: transfer)
        #expect(JPEGXLColorEncoding(encoding.bytes) == encoding)
      }
    }
    #expect(JPEGXLColorEncoding(.proPhoto, transfer: 16).primaries == .bt2020)
    #expect(JPEGXLColorEncoding([1])?.primaries == .srgb)
    // Nothing; an ICC profile; gray; a white of its own.
    for bytes in [[], [0b10], [0b0100], [0b10_0000]] as [[UInt8]] {
      #expect(JPEGXLColorEncoding(bytes) == nil)
    }
  }

  /// A version byte before the record, as in a HEIF, is not read as a part of it.
  @Test func recordMayHaveAVersion() throws {
    let record = [UInt8](repeating: 7, count: 61)
    let bundle = JPEGXLGainMapBundle(record: [0] + record, codestream: [0xFF, 0x0A])
    #expect(try JPEGXLGainMapBundle(bundle.bytes).record == record)
  }

  @Test func damagedBundlesAreRefused() throws {
    for count in 0..<22 {
      #expect(throws: FormatError.self) { try JPEGXLGainMapBundle(Array(Self.known.prefix(count))) }
    }
    var later = Self.known
    later[0] = 1
    let error = #expect(throws: FormatError.self) { try JPEGXLGainMapBundle(later) }
    #expect(error?.code == .unsupported)
    var container = Self.known
    container[20] = 0
    #expect(throws: FormatError.self) { try JPEGXLGainMapBundle(container) }
  }
}
