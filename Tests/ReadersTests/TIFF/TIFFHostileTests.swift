import CTIFF
import Containers
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

@Suite struct TIFFHostileTests {
  @Test func damagedFiles() throws {
    let profile = try ColorSpace.sRGB.iccProfile()
    let kinds: [TestTIFF] = [
      TestTIFF(bits: 16, compression: COMPRESSION_LZW, predictor: 2, profile: profile),
      TestTIFF(bits: 32, format: 3, compression: COMPRESSION_ADOBE_DEFLATE, predictor: 3),
      TestTIFF(isPlanar: true, isTiled: true, isBigEndian: true),
      TestTIFF(bits: 12, samples: 1, photometric: 1, compression: COMPRESSION_PACKBITS),
      TestTIFF(photometric: 6, compression: COMPRESSION_JPEG, rowsPerStrip: 16),
      TestTIFF(bits: 1, samples: 1, photometric: 0, compression: COMPRESSION_CCITTFAX4),
      TestTIFF(compression: COMPRESSION_ZSTD, isBig: true),
      TestTIFF(compression: COMPRESSION_LERC), TestTIFF(compression: COMPRESSION_LZMA),
      TestTIFF(photometric: 6, subsampling: 1), TestTIFF(compression: COMPRESSION_WEBP),
      TestTIFF(bits: 16, samples: 4, photometric: 5, compression: COMPRESSION_LZW),
      TestTIFF(photometric: 8), TestTIFF(bits: 24, format: 3, compression: COMPRESSION_LZW),
    ]
    let files = kinds.compactMap { $0.bytes() }
    try #require(files.count == kinds.count)
    for file in files { #expect(PNGHostileTests.read(file) == nil) }
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(3600)) {
      let file = files[Int(seed / 5) % files.count]
      var bytes = Damage.damaged(file, seed: seed)
      // Half of the damage goes to the directory, which libtiff writes behind the pixels.
      if seed % 2 == 1, bytes.count == file.count {
        let end = min(300, file.count / 2)
        bytes = file.dropLast(end) + Damage.damaged(file.suffix(end), seed: seed)
      }
      counts[PNGHostileTests.read(bytes).map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged TIFFs: \(counts)")
    let minimum = Damage.count(100)
    #expect((counts["picture"] ?? 0) > minimum && (counts["damaged"] ?? 0) > minimum)
  }

  /// The lowest `count` bytes of `value`, the lowest first.
  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A little-endian TIFF of one directory; entries are tag, type, count, value.
  private func tiff(_ entries: [(Int, Int, Int, Int)], pixels: Int = 128) -> [UInt8] {
    var bytes = Array("II".utf8) + [42, 0] + little(8, 4) + little(entries.count, 2)
    for (tag, type, count, value) in entries {
      bytes += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    return bytes + little(0, 4) + [UInt8](repeating: 7, count: pixels)
  }

  private func gray(_ changes: [Int: (Int, Int, Int)]) -> [UInt8] {
    var fields: [Int: (Int, Int, Int)] = [
      256: (4, 1, 8), 257: (4, 1, 8), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1),
      273: (4, 1, 122), 277: (3, 1, 1), 278: (4, 1, 8), 279: (4, 1, 64),
    ]
    for (tag, value) in changes { fields[tag] = value }
    return tiff(
      fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.0, $0.value.1, $0.value.2) })
  }

  /// libtiff decodes streams as far as it needs them: a wrong checksum behind that is found, too.
  @Test(arguments: [COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE])
  func wrongChecksums(compression: Int32) throws {
    var file = try #require(TestTIFF(compression: compression, rowsPerStrip: 21).bytes())
    #expect(code(file) == nil)
    file[try strip(file).upperBound - 1] ^= 1
    #expect(code(file) == .damaged)
  }

  /// So is one that goes on, of colors that libtiff converts as well.
  @Test func streamsThatGoOn() {
    func converted(_ count: Int) -> [UInt8] {
      let stream = zeros(count, emptyBlocks: 0)
      return gray([
        259: (3, 1, 8), 262: (3, 1, 6), 273: (4, 1, 262), 277: (3, 1, 3),
        279: (4, 1, stream.count), 530: (3, 2, 0x0001_0001),
      ]) + stream
    }
    #expect(code(converted(8 * 8 * 3)) == nil)
    #expect(code(converted(8 * 8 * 3 + 1)) == .damaged)
  }

  /// Codecs that fill up a strip say so in a warning alone.
  @Test(arguments: [COMPRESSION_JPEG, COMPRESSION_CCITTFAX4, COMPRESSION_CCITTRLE])
  func zerosInPlaceOfCodes(compression: Int32) throws {
    let tiff =
      compression == COMPRESSION_JPEG
      ? TestTIFF(compression: compression, rowsPerStrip: 21)
      : TestTIFF(
        bits: 1, samples: 1, photometric: 1, compression: compression, rowsPerStrip: 21)
    var file = try #require(tiff.bytes())
    #expect(code(file) == nil)
    let strip = try strip(file)
    for at in strip.lowerBound + strip.count / 2..<strip.upperBound { file[at] = 0 }
    #expect(code(file) == .damaged)
  }

  /// A run that is longer than what is left of the strip is cut off, and only a warning says so.
  @Test func runsThatAreTooLong() {
    // Runs of eight samples, each after its length.
    var file = gray([259: (3, 1, 32_773), 279: (4, 1, 72)])
    #expect(code(file) == nil)
    file[122] = 0x81
    #expect(code(file) == .damaged)
  }

  /// A value behind the end of the file, such as the profile of a cut one, is named.
  @Test func valuesBehindTheEndAreNoted() throws {
    let cut = try StillImage(gray([273: (4, 1, 134), 34_675: (7, 5000, 140)]))
    #expect(cut.notes.count == 1 && cut.notes[0].contains("past its end"), "\(cut.notes)")
    _ = try cut.base()
  }

  /// The bytes of the first strip.
  private func strip(_ file: [UInt8]) throws -> Range<Int> {
    let tiff = try #require(try TIFFFile(FileBytes(file)))
    let start = try #require(tiff.first[273]?.integer)
    let count = try #require(tiff.first[279]?.integer)
    return start..<start + count
  }

  private func failure(
    _ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()
  ) -> ReadError? {
    do throws(ReadError) {
      _ = try StillImage(bytes, limits: limits).base()
      return nil
    } catch { return error }
  }

  private func code(_ bytes: [UInt8]) -> ReadError.Code? { failure(bytes)?.code }

  /// A strip of doubles takes twice the picture that is made of it, and is held beside it.
  @Test(arguments: [COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE])
  func doublesCountAsMemory(compression: Int32) throws {
    let file = try #require(
      TestTIFF(bits: 64, format: 3, compression: compression, rowsPerStrip: 21).bytes())
    // Rows of 37 × 3 floats are padded to a multiple of 16 bytes.
    let bytes = 448 * 21 + 37 * 21 * 3 * 8
    #expect(failure(file, DecodeLimits(maxDecodeBytes: bytes)) == nil)
    let error = failure(file, DecodeLimits(maxDecodeBytes: bytes - 1))
    #expect(error?.code == .tooLarge && error?.message.contains("raise the limit") == true)
  }

  @Test func stripsAndTilesAreReadUpToTheLimit() throws {
    let strips = try #require(TestTIFF(height: 100, rowsPerStrip: 1).bytes())
    let planes = try #require(TestTIFF(height: 100, isPlanar: true, rowsPerStrip: 1).bytes())
    // Tiles of 16 × 32.
    let tiles = try #require(TestTIFF(width: 300, height: 310, isTiled: true).bytes())
    for (file, parts) in [(strips, 100), (planes, 300), (tiles, 190)] {
      #expect(failure(file, DecodeLimits(maxItems: parts)) == nil)
      let error = failure(file, DecodeLimits(maxItems: parts - 1))
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("more than \(parts - 1) strips or tiles") == true)
    }
  }

  /// Tiles of a megabyte for a column of pixels.
  @Test func tilesThatMultiplyAreRefused() {
    let file = gray([
      256: (4, 1, 1), 257: (4, 1, 2000), 259: (3, 1, 8), 322: (4, 1, 65_536), 323: (4, 1, 16),
      324: (4, 125, 8), 325: (4, 125, 400),
    ])
    // Behind the file that `gray` makes, zeros as the lengths of tiles.
    let error = failure(file + [UInt8](repeating: 0, count: 1000))
    #expect(error?.code == .damaged && error?.message.contains("much larger") == true)
  }

  @Test func implausibleSizesAreRefused() {
    #expect(code(gray([:])) == nil)
    let before = PixelMemory.allocatedBytes
    #expect(code(gray([256: (4, 1, 0)])) == .damaged)
    #expect(code(gray([256: (4, 1, 0xFFFF_FFFF), 257: (4, 1, 0xFFFF_FFFF)])) != nil)
    #expect(code(gray([256: (4, 1, 100_000), 257: (4, 1, 10_000)])) == .tooLarge)
    #expect(code(gray([256: (4, 1, 20_000), 257: (4, 1, 20_000)])) == .damaged)
    #expect(code(gray([256: (4, 1, 20_000), 257: (4, 1, 20_000), 259: (3, 1, 5)])) == .damaged)
    // 2³² strips, by count and by height of one row each.
    #expect(code(gray([273: (4, 0xFFFF_FFFF, 134), 279: (4, 0xFFFF_FFFF, 134)])) != nil)
    #expect(code(gray([257: (4, 1, 0xFFFF_FFFF), 278: (4, 1, 1)])) != nil)
    #expect(code(gray([278: (4, 1, 0)])) != nil)
    #expect(code(gray([277: (3, 1, 65_535)])) != nil)
    #expect(code(gray([258: (3, 1, 0)])) != nil && code(gray([258: (3, 1, 65_535)])) != nil)
    #expect(code(gray([273: (4, 1, 0xFFFF_FFF0)])) == .damaged)
    // Tiles as large as can be, for a small picture.
    let tiles = [
      322: (4, 1, 65_536), 323: (4, 1, 65_536), 324: (4, 1, 134), 325: (4, 1, 64),
    ]
    #expect(code(gray(tiles)) == .tooLarge)
    #expect(PixelMemory.allocatedBytes - before < 1 << 24)
  }

  /// A tile may have as many pixels as a picture.
  @Test func tilesWithinTheLimitOfPixels() throws {
    let bytes = try #require(
      TestTIFF(width: 9, height: 9, compression: COMPRESSION_LZW, isTiled: true).bytes())
    let area = 16 * 32
    #expect(throws: Never.self) {
      try StillImage(bytes, limits: DecodeLimits(maxPixels: area)).base()
    }
    let error = #expect(throws: ReadError.self) {
      try StillImage(bytes, limits: DecodeLimits(maxPixels: area - 1)).base()
    }
    #expect(error?.code == .tooLarge)
  }

  /// The zlib stream of `count` zeros after this many empty blocks.
  private func zeros(_ count: Int, emptyBlocks: Int) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x9C]
    for _ in 0..<emptyBlocks { stream += [0, 0, 0, 0xFF, 0xFF] }
    stream += [1] + little(count, 2) + little(~count, 2)
    stream += [UInt8](repeating: 0, count: count)
    // Adler-32 of zeros.
    return stream + [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count), 0, 1]
  }

  /// Strips of one row, each the zlib stream of `width` bytes after this many empty blocks.
  private func sharing(_ width: Int, rows: Int, emptyBlocks: Int, changes: [Int: (Int, Int, Int)])
    -> [UInt8]
  {
    let stream = zeros(width, emptyBlocks: emptyBlocks)
    let offsets = 250
    let start = offsets + 8 * rows
    var fields: [Int: (Int, Int, Int)] = [
      256: (4, 1, width), 257: (4, 1, rows), 259: (3, 1, 8), 273: (4, rows, offsets),
      278: (4, 1, 1), 279: (4, rows, offsets + 4 * rows),
    ]
    for (tag, value) in changes { fields[tag] = value }
    var bytes = gray(fields)
    for _ in 0..<rows { bytes += little(start, 4) }
    for _ in 0..<rows { bytes += little(stream.count, 4) }
    return bytes + stream
  }

  /// Each is read to its end: thousands of small ones that span the complete file would take hours.
  @Test func stripsThatShareTheirBytes() {
    func shared(
      _ width: Int = 100, emptyBlocks: Int, changes: [Int: (Int, Int, Int)] = [:]
    ) -> ReadError.Code? {
      code(sharing(width, rows: 64, emptyBlocks: emptyBlocks, changes: changes))
    }
    // Empty strips of maps are stored once, and are shorter than their pixels.
    #expect(shared(emptyBlocks: 0) == nil)
    #expect(shared(1000, emptyBlocks: 0) == nil)
    #expect(shared(emptyBlocks: 1000) == .damaged)
    // Of samples as they are no more is read than is asked for.
    let plain = [259: (3, 1, 1)]
    #expect(shared(emptyBlocks: 1000, changes: plain) == nil)
  }

  @Test func unsupportedKindsAreRefused() {
    #expect(code(gray([262: (3, 1, 4)])) == .unsupported)
    #expect(code(gray([262: (3, 1, 10)])) == .unsupported)
    // Inks and L*a*b* of one sample.
    #expect(code(gray([262: (3, 1, 5)])) == .damaged)
    #expect(code(gray([262: (3, 1, 8)])) == .damaged)
    #expect(code(gray([262: (3, 1, 32_803)])) == .unsupported)
    #expect(code(gray([50_706: (1, 4, 0x0401)])) == .unsupported)
    #expect(code(gray([339: (3, 1, 6)])) == .unsupported)
  }

  /// A directory that follows itself, and one of nothing.
  @Test func directoriesThatLeadNowhere() {
    var loop = gray([:])
    loop.replaceSubrange(10 + 12 * 9..<14 + 12 * 9, with: [8, 0, 0, 0])
    #expect(code(loop) == nil)
    #expect(code(tiff([])) != nil)
  }

  /// The first page that is no smaller version of another.
  @Test func pagesAndSmallerVersions() throws {
    let first = gray([254: (4, 1, 1), 256: (4, 1, 4), 257: (4, 1, 4)])
    var bytes = first
    let next = 10 + 12 * 10
    bytes.replaceSubrange(next..<next + 4, with: little(bytes.count, 4))
    let second = gray([256: (4, 1, 8), 274: (3, 1, 8), 278: (4, 1, 8)])
    bytes += second.dropFirst(8)
    let image = try StillImage(bytes)
    #expect(image.size == PixelSize(width: 8, height: 8) && image.orientation.rawValue == 8)
    #expect(image.thumbnails == [PixelSize(width: 4, height: 4)] && image.notes == [])
    _ = try image.base()
  }
}
