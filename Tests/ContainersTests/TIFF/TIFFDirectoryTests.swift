import TestSupport
import Testing

@testable import Containers

@Suite struct TIFFDirectoryTests {
  @Test(arguments: [false, true], [false, true])
  func valuesAreReadInBothByteOrdersAndSizes(_ bigEndian: Bool, isBig: Bool) throws {
    var writer = TIFFStructure(bigEndian: bigEndian, isBig: isBig)
    let start = isBig ? 16 : 8
    writer.header(first: start)
    let short: [UInt8] = bigEndian ? [1, 2] : [2, 1]
    writer.directory(
      [(256, 3, 1, short), (271, 2, 4, Array("abc\0".utf8)), (1000, 1, 3, [7, 8, 9])], next: 0)
    let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
    #expect(file.first[256]?.integer == 0x102)
    #expect(file.first[271]?.text == "abc")
    #expect(file.first[1000]?.integers == [7, 8, 9])
    #expect(!file.pointsOutside)
  }

  @Test func fractionsOfZeroAreNoNumber() throws {
    var writer = TIFFStructure()
    writer.header(first: 8)
    writer.directory([(50730, 10, 1, [26, 0, 0, 0])], next: 0)
    writer.bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
    #expect(file.first[50730] != nil)
    #expect(file.first[50730]?.number == nil)
  }

  @Test func loopsEnd() throws {
    var writer = TIFFStructure()
    writer.header(first: 8)
    // SubIFDs, Exif and the next directory all point at itself.
    writer.directory(
      [(330, 4, 1, [8, 0, 0, 0]), (34665, 4, 1, [8, 0, 0, 0])], next: 8)
    let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
    #expect(file.directories.count == 1)
  }

  @Test func longChainsAreCut() throws {
    var writer = TIFFStructure()
    writer.header(first: 8)
    for index in 0..<1000 {
      writer.directory([(256, 3, 1, [1, 0])], next: 8 + 18 * (index + 1))
    }
    let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
    #expect(file.directories.count == 128)
  }

  @Test func valuesOutsideTheFileAreLeftOut() throws {
    var writer = TIFFStructure()
    writer.header(first: 8)
    writer.directory(
      [
        (1, 4, 0xFFFF_FFFF, [8, 0, 0, 0]), (2, 5, 1, [0xFF, 0xFF, 0xFF, 0x7F]),
        (3, 99, 1, [0, 0, 0, 0]), (4, 3, 1, [5, 0]),
      ], next: 0)
    let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
    #expect(file.pointsOutside)
    #expect(Set(file.first.entries.keys) == [4])

    var big = TIFFStructure(isBig: true)
    big.header(first: 16)
    big.directory([(1, 16, .max, [16])], next: -1 &+ Int.max)
    #expect(try TIFFFile(FileBytes(big.bytes))?.first.entries.isEmpty == true)
  }

  @Test func whatIsNoTIFFIsNil() throws {
    #expect(try TIFFFile(FileBytes([0x49])) == nil)
    #expect(try TIFFFile(FileBytes([0x49, 0x49, 1, 2, 3, 4, 5, 6])) == nil)
    #expect(throws: FormatError.self) { try TIFFFile(FileBytes([0x49, 0x49, 42, 0, 99, 0, 0, 0])) }
    #expect(throws: FormatError.self) { try FileBytes([]) }
  }
}
