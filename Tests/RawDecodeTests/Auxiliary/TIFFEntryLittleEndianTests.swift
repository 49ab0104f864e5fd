import Testing

@testable import Containers
@testable import RawDecode

@Suite struct TIFFEntryLittleEndianTests {
  private func turned(
    _ tag: UInt16, _ type: UInt16, _ count: Int, _ bytes: [UInt8], bigEndian: Bool = true
  ) throws -> [UInt8]? {
    TIFFEntry(
      tag: tag, type: type, count: count, offset: 0, position: 0, file: try FileBytes(bytes),
      bigEndian: bigEndian
    ).littleEndianBytes
  }

  @Test func numbersAreSwappedByTheirWidth() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(try turned(1, 1, 8, bytes) == bytes)
    #expect(try turned(1, 3, 4, bytes) == [2, 1, 4, 3, 6, 5, 8, 7])
    #expect(try turned(1, 11, 2, bytes) == [4, 3, 2, 1, 8, 7, 6, 5])
    #expect(try turned(1, 10, 1, bytes) == [4, 3, 2, 1, 8, 7, 6, 5])
    #expect(try turned(1, 12, 1, bytes) == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(try turned(1, 12, 1, bytes, bigEndian: false) == bytes)
  }

  @Test func structuredTagsAreSwappedFieldByField() throws {
    #expect(try turned(52551, 7, 8, [0, 1, 0, 2, 1, 2, 3, 4]) == [1, 0, 2, 0, 4, 3, 2, 1])
    #expect(
      try turned(52533, 7, 10, [0, 1, 0, 0, 0, 5, 0, 0, 0, 6]) == [1, 0, 5, 0, 0, 0, 6, 0, 0, 0])
    // One 16-bit gain after the header of 80 bytes.
    var map = [UInt8](repeating: 0, count: 82)
    (map[3], map[15], map[67], map[81]) = (1, 8, 1, 9)
    let own = try #require(try turned(52544, 7, 82, map))
    #expect(own[0] == 1 && own[8] == 8 && own[64] == 1 && own[80] == 9 && own[81] == 0)
    // A table of 2 × 2 × 2 colors of 16 bits with a name of one byte.
    let table =
      [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 65, 2, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 47) + [7]
    let lookup = try #require(try turned(52543, 7, table.count, table))
    #expect(lookup[0] == 1 && lookup[8] == 1 && lookup[9] == 0 && lookup[10] == 65)
    #expect(lookup[62] == 7 && lookup[63] == 0)
  }

  @Test func unknownAndShortTagsAreNil() throws {
    #expect(try turned(40_000, 7, 4, [1, 2, 3, 4]) == nil)
    #expect(try turned(52551, 7, 4, [1, 2, 3, 4]) == nil)
    #expect(try turned(52544, 7, 8, [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
    #expect(try turned(52543, 7, 8, [255, 255, 255, 255, 0, 0, 0, 0]) == nil)
    #expect(try turned(52533, 7, 1, [1]) == nil)
    #expect(try turned(40_000, 7, 4, [1, 2, 3, 4], bigEndian: false) == [1, 2, 3, 4])
  }
}
