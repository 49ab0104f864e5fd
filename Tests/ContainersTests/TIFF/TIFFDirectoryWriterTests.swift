import ImageCore
import Testing

@testable import Containers

@Suite struct TIFFDirectoryWriterTests {
  private let values: [(UInt16, ExifEntry.Value)] = [
    (0x9286, .undefined([UInt8](repeating: 7, count: 9))), (0x010F, .ascii("Acme")),
    (0x829A, .rationals([Rational(1, 250), Rational(0, 0)])), (0x8827, .shorts([1, 2, 3])),
    (0xA002, .longs([70_000])), (0x9204, .signedRationals([SignedRational(-1, 3)])),
    (0x0000, .bytes([2, 3, 0, 0])),
  ]

  @Test("What is written is read back, in both byte orders", arguments: [false, true])
  func readBack(bigEndian: Bool) throws {
    let writer = TIFFDirectoryWriter(bigEndian: bigEndian)
    let fields = values.map { TIFFField($0.0, $0.1, bigEndian: bigEndian) }
    let head: [UInt8] =
      bigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let bytes = writer.bytes(fields, at: 8)
    #expect(bytes.count == writer.byteCount(fields))
    let tiff = try #require(try TIFFFile(FileBytes(head + bytes)))
    #expect(tiff.directories.count == 1 && !tiff.pointsOutside)
    #expect(tiff.first.entries.count == values.count)
    for (tag, value) in values {
      let entry = try #require(tiff.first[tag])
      #expect(entry.exifValue == value)
      #expect(entry.offset % 2 == 0)
    }
  }

  @Test("Entries are sorted by tag, their values stay in the given order")
  func order() {
    let fields = [
      TIFFField(3, .ascii("third")), TIFFField(1, .ascii("first")), TIFFField(2, .shorts([5])),
    ]
    #expect(
      TIFFDirectoryWriter().bytes(fields, at: 0) == [
        3, 0,  //
        1, 0, 2, 0, 6, 0, 0, 0, 48, 0, 0, 0,  //
        2, 0, 3, 0, 1, 0, 0, 0, 5, 0, 0, 0,  //
        3, 0, 2, 0, 6, 0, 0, 0, 42, 0, 0, 0,  //
        0, 0, 0, 0,
      ] + Array("third\0first\0".utf8))
  }

  @Test("BigTIFF has 64-bit counts and offsets")
  func bigNumbers() {
    let fields = [
      TIFFField(0x829A, .rationals([Rational(1, 250)])),
      TIFFField(0x8827, .shorts([1, 2, 3, 4, 5])),
    ]
    #expect(
      TIFFDirectoryWriter(isBig: true).bytes(fields, at: 16) == [
        2, 0, 0, 0, 0, 0, 0, 0,  //
        0x9A, 0x82, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 250, 0, 0, 0,  //
        0x27, 0x88, 3, 0, 5, 0, 0, 0, 0, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0,  //
        0, 0, 0, 0, 0, 0, 0, 0,  //
        1, 0, 2, 0, 3, 0, 4, 0, 5, 0,
      ])
  }
}
