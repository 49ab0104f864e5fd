import Containers
import ImageCore
import Testing

@testable import Readers

/// Blocks that phones put behind a picture, some of them without an end marker in front.
@Suite struct SamsungTrailerTests {
  private static func little(_ value: Int) -> [UInt8] {
    UInt32(value).bytes(bigEndian: false)
  }

  /// A name and a film, and their directory; `back` is added to how far before it they start,
  /// `more` to the number of entries that it claims to have.
  private static func blocks(_ film: [UInt8], back: Int = 0, more: Int = 0) -> [UInt8] {
    let name = Array("Panorama_Shot_Info".utf8)
    let first: [UInt8] = [0, 0, 1, 8] + little(name.count) + name
    var directory = Array("SEFH".utf8) + little(107) + little(2 + more)
    directory += [0, 0, 1, 8] + little(first.count + film.count + back) + little(first.count)
    directory += [0, 0, 0x30, 0x0A] + little(film.count + back) + little(film.count)
    return first + film + directory + little(directory.count) + Array("SEFT".utf8)
  }

  /// What begins as markers do that decoders stop at.
  private static func film(_ start: [UInt8]) -> [UInt8] {
    start + (1..<200).map { UInt8($0) }
  }

  @Test(
    arguments: [[0xFF, 0xAA], [0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xE0], [0xFF, 0xC0, 0, 17]]
      as [[UInt8]], [false, true])
  func picturesAreReadUpToTheBlocks(start: [UInt8], progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(128, 128, progressive: progressive)
    let blocks = Self.blocks(Self.film(start))
    try JPEGDamage.checkHarmless(jpeg) { Array($0.dropLast(2)) + blocks }
    try JPEGDamage.checkHarmless(jpeg) { Array($0.dropLast(2)) + [0, 0, 0] + blocks }
    let complete = try JPEGDamage.samples(jpeg + blocks)
    #expect(try complete == JPEGDamage.samples(jpeg))
  }

  @Test func endsAreNotLookedForInTheBlocks() throws {
    let jpeg = try TestJPEG.ramps(64, 48)
    for start in [[0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xE0]] as [[UInt8]] {
      let blocks = Self.blocks(Self.film(start))
      let open = try #require(JPEGSegments(FileBytes(Array(jpeg.dropLast(2)) + blocks)))
      #expect(open.end() == nil && open.latestEnd == jpeg.count - 2)
      let closed = try #require(JPEGSegments(FileBytes(jpeg + blocks)))
      #expect(closed.end() == jpeg.count && closed.latestEnd == jpeg.count)
    }
  }

  /// Directories that lead out of the file, into the picture's header, or have more entries than
  /// bytes or than the limit.
  @Test func directoriesThatContradictThemselves() throws {
    let jpeg = Array(try TestJPEG.ramps(64, 48).dropLast(2))
    let film = Self.film([0xFF, 0xAA])
    let plain = jpeg.count + Self.blocks(film).count
    func latestEnd(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) throws -> Int {
      try #require(JPEGSegments(FileBytes(bytes, limits: limits))).latestEnd
    }
    #expect(try latestEnd(jpeg + Self.blocks(film)) == jpeg.count)
    for back in [jpeg.count - 10, jpeg.count + 1, 0x7FFF_FFFF] {
      #expect(try latestEnd(jpeg + Self.blocks(film, back: back)) == plain)
    }
    for more in [1, 1000, 0x7FFF_FFFF] {
      #expect(try latestEnd(jpeg + Self.blocks(film, more: more)) == plain)
    }
    let length = Array(Self.blocks(film).dropLast(8))
    for bytes in [0, 11, plain, 0xFFFF_FFFF] {
      #expect(try latestEnd(jpeg + length + Self.little(bytes) + Array("SEFT".utf8)) == plain)
    }
    let entries = [UInt8](repeating: 0, count: 20 * 12)
    var many = Array("SEFH".utf8) + Self.little(107) + Self.little(20) + entries
    many += Self.little(many.count) + Array("SEFT".utf8)
    #expect(try latestEnd(jpeg + many) == jpeg.count)
    #expect(try latestEnd(jpeg + many, DecodeLimits(maxItems: 19)) == jpeg.count + many.count)
  }

  /// One that leads into the codes leaves too few of them.
  @Test func codesAreNotTakenForBlocks() throws {
    let jpeg = Array(try TestJPEG.ramps(64, 48).dropLast(2))
    let film = Self.film([0xFF, 0xAA])
    #expect(try !JPEGDamage.isRefused(jpeg + Self.blocks(film)))
    for back in [100, 1000] {
      #expect(try JPEGDamage.isRefused(jpeg + Self.blocks(film, back: back)))
    }
  }
}
