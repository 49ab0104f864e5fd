import ImageCore
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

  /// Where GPS was removed, and in Sony's α 100, whose SubIFDs are pixels.
  @Test func pointersThatAreNone() throws {
    for model in ["DSLR-A100\0", "DSLR-A900\0"] {
      var writer = TIFFStructure()
      writer.header(first: 8)
      writer.directory(
        [
          (272, 2, 10, [50, 0, 0, 0]), (330, 4, 1, [255, 255, 0, 0]), (34853, 4, 1, [0, 0, 0, 0]),
        ],
        next: 0)
      writer.bytes += Array(model.utf8)
      let file = try #require(try TIFFFile(FileBytes(writer.bytes)))
      #expect(file.pointsOutside == (model == "DSLR-A900\0"))
    }
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

  /// A file may have many profiles, each with all that a file may have.
  @Test func profilesAreOneDirectory() throws {
    var writer = TIFFStructure()
    writer.header(first: 8)
    writer.directory([(256, 3, 1, [1, 0]), (330, 4, 1, [38, 0, 0, 0])], next: 38)
    writer.directory([(256, 3, 1, [2, 0])], next: 0)
    #expect(try TIFFFile(FileBytes(writer.bytes))?.directories.count == 2)
    writer.bytes.replaceSubrange(2..<4, with: [0x52, 0x43])
    let profile = try #require(
      try TIFFFile(FileBytes(writer.bytes), magics: TIFFFile.profileMagics))
    #expect(profile.directories.count == 1 && profile.first[256]?.integer == 1)
  }

  /// The message of the failure of `bytes`.
  private func refusal(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> String? {
    do {
      _ = try TIFFFile(FileBytes(bytes, limits: limits))
      return nil
    } catch {
      #expect(error.code == .tooLarge)
      return error.message
    }
  }

  @Test func entriesAreCountedOverAllDirectories() {
    var writer = TIFFStructure()
    writer.header(first: 8)
    // Two of two entries, the second one with a SubIFD, which counts too.
    writer.directory([(256, 3, 1, [1, 0]), (257, 3, 1, [1, 0])], next: 38)
    writer.directory([(256, 3, 1, [1, 0]), (330, 4, 1, [8, 0, 0, 0])], next: 0)
    #expect(refusal(writer.bytes, DecodeLimits(maxItems: 5)) == nil)
    #expect(
      refusal(writer.bytes, DecodeLimits(maxItems: 4))
        == "it has more than 4 entries in its directories, the limit; skip it or "
        + "write it again")
  }

  /// Directories within directories, each of which is read from overlapping bytes.
  @Test func abundanceAndDepthAreRefused() {
    func chain(_ count: Int) -> [UInt8] {
      var writer = TIFFStructure()
      writer.header(first: 8)
      for index in 1...count {
        let next = UInt32(8 + 18 * index)
        writer.directory([(330, 4, 1, next.bytes(bigEndian: false))], next: 0)
      }
      // The last one points at nothing.
      return Array(writer.bytes.dropLast(8)) + [0, 0, 0, 0, 0, 0, 0, 0]
    }
    #expect(refusal(chain(64)) == nil)
    #expect(
      refusal(chain(65))
        == "its directories are nested more than 64 deep, the limit; skip it or "
        + "write it again")
    #expect(refusal(chain(3), DecodeLimits(maxNesting: 3)) == nil)
    #expect(refusal(chain(4), DecodeLimits(maxNesting: 3)) != nil)
    var writer = TIFFStructure()
    writer.header(first: 8)
    let offsets = (0..<120).flatMap { UInt32(1000 + $0).bytes(bigEndian: false) }
    writer.directory([(330, 4, 120, [40, 0, 0, 0])], next: 0)
    writer.bytes += [UInt8](repeating: 0, count: 40 - writer.bytes.count) + offsets
    writer.bytes += [UInt8](repeating: 0xFF, count: 1_000_000)
    // Every one of them would have 65535 entries.
    #expect(refusal(writer.bytes)?.contains("262144 entries") == true)
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

  /// Bytes stored once and referenced a hundred times would be copied as often.
  @Test func sharedBytesAreRefused() throws {
    func bytes(_ count: UInt16) -> [UInt8] {
      var writer = TIFFStructure()
      writer.header(first: 8)
      let start = UInt32(8 + 2 + 12 * Int(count) + 4)
      writer.directory(
        (0..<count).map { (1000 + $0, 7, 1 << 20, start.bytes(bigEndian: false)) }, next: 0)
      return writer.bytes + [UInt8](repeating: 0, count: 1 << 20)
    }
    #expect(try TIFFFile(FileBytes(bytes(5)))?.first.entries.count == 5)
    let error = #expect(throws: FormatError.self) { try TIFFFile(FileBytes(bytes(100))) }
    #expect(error?.code == .damaged && error?.message.contains("again") == true)
  }

  /// A byte becomes eight of memory, so no more are read than their reader needs.
  @Test func manyNumbersAreReadOnRequestOnly() throws {
    func entry(_ count: Int) throws -> TIFFEntry {
      var writer = TIFFStructure()
      writer.header(first: 8)
      writer.directory([(1000, 1, count, [26, 0, 0, 0])], next: 0)
      let bytes = writer.bytes + [UInt8](repeating: 3, count: count)
      return try #require(try TIFFFile(FileBytes(bytes))?.first[1000])
    }
    let (limit, more) = (try entry(65_536), try entry(65_537))
    #expect(limit.integers?.count == 65_536 && limit.numbers?.count == 65_536)
    #expect(more.integers == nil && more.numbers == nil && more.integer == 3)
    #expect(more.integers(atMost: 65_537)?.count == 65_537)
    #expect(more.numbers(atMost: 65_536) == nil)
  }
}
