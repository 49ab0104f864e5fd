import Formats
import ImageCore
import SyntheticRaw
import TestSupport
import Testing
import Writers

@testable import Codecs
@testable import Containers
@testable import Readers

@Suite struct PNGHostileTests {
  /// Opens and decodes; a typed error or a picture, nothing else.
  static func read(_ bytes: [UInt8]) -> ReadError.Code? {
    do throws(ReadError) {
      let image = try StillImage(
        bytes, limits: DecodeLimits(maxPixels: 1 << 22, maxDecodeBytes: 1 << 26))
      let source = try image.base()
      certain { try source.read(PixelRect(x: 0, y: 0, width: 1, height: 1), into: PlanarBuffer()) }
      return nil
    } catch {
      #expect(!error.message.isEmpty && !error.message.contains("\n"))
      return error.code
    }
  }

  @Test func damagedFiles() throws {
    let profile = TestPNG.profile(try ColorSpace.displayP3.iccProfile())
    let files = [
      TestPNG(width: 40, height: 30, depth: 16, color: 2, before: [profile]).bytes,
      TestPNG(width: 23, height: 9, depth: 4, color: 0, isInterlaced: true).bytes,
      TestPNG(
        width: 60, height: 40, depth: 2, color: 3,
        before: [
          TestPNG.chunk("PLTE", Array(0..<12)), TestPNG.text(Array("<x/>".utf8), compressed: true),
        ]
      ).bytes,
      TestPNG(width: 30, height: 30, depth: 8, color: 6, before: [TestPNG.chunk("sRGB", [0])])
        .bytes,
    ]
    for file in files { #expect(Self.read(file) == nil) }
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(2000)) {
      var bytes = Damage.damaged(files[Int(seed / 5 % 4)], seed: seed)
      // Half of them with sums that fit again, so that what is damaged is looked at.
      if seed % 2 == 0 { bytes = Self.withSums(bytes) }
      counts[Self.read(bytes).map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged PNGs: \(counts)")
    let minimum = Damage.count(100)
    #expect((counts["picture"] ?? 0) > minimum && (counts["damaged"] ?? 0) > minimum)
  }

  /// The CRC of each chunk made right.
  static func withSums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - at - 12 else { break }
      let sum = bytes[at + 4..<at + 8 + length].withUnsafeBytes(ZlibStream.crc32)
      bytes.replaceSubrange(at + 8 + length..<at + 12 + length, with: TestPNG.word(Int(sum)))
      at += 12 + length
    }
    return bytes
  }

  private func claiming(_ width: Int, _ height: Int) -> [UInt8] {
    let small = TestPNG(width: 1, height: 1).bytes
    let header = TestPNG(width: width, height: height).header
    return Array(small.prefix(8)) + header + small.dropFirst(8 + header.count)
  }

  @Test func implausibleSizesAreRefused() {
    func code(_ width: Int, _ height: Int) -> ReadError.Code? {
      do throws(ReadError) {
        _ = try StillImage(
          claiming(width, height), limits: DecodeLimits(memoryBytes: 8 << 30)
        ).base()
        return nil
      } catch { return error.code }
    }
    #expect(code(1 << 31, 1) == .damaged && code(1, 1 << 31) == .damaged)
    #expect(code(0, 5) == .damaged)
    #expect(code((1 << 31) - 1, (1 << 31) - 1) == .tooLarge)
    #expect(code(40_000, 25_000) == .tooLarge)
    let before = PixelMemory.liveBytes
    #expect(code(20_000, 20_000) == .damaged)
    #expect(PixelMemory.liveBytes - before < 100_000_000)
  }

  /// What scales a column takes hundreds of bytes for each of its pixels.
  @Test func longSidesAreRefused() throws {
    let limits = DecodeLimits(memoryBytes: 8 << 30)
    let side = PixelSize.largestSide
    for (width, height) in [(1, side), (side, 1)] {
      let image = try StillImage(claiming(width, height), limits: limits)
      #expect(image.size == PixelSize(width: width, height: height))
    }
    for (width, height) in [(1, side + 1), (side + 1, 1)] {
      let error = #expect(throws: ReadError.self) {
        try StillImage(claiming(width, height), limits: limits)
      }
      #expect(error?.code == .tooLarge && error?.message.contains("limit of 1048576") == true)
    }
  }

  /// A thousand entries of Exif that all have the same half megabyte.
  @Test func sharedValuesOfExif() throws {
    let entries = 1000
    var writer = TIFFStructure()
    writer.header(first: 8)
    let directory = 8 + 18
    writer.directory([(34665, 4, 1, UInt32(directory).bytes(bigEndian: false))], next: 0)
    let values = UInt32(directory + 2 + 12 * entries + 4).bytes(bigEndian: false)
    writer.directory((0..<entries).map { (UInt16(1 + $0), 5, 65_535, values) }, next: 0)
    let block = writer.bytes + [UInt8](repeating: 1, count: 65_535 * 8)
    let image = try StillImage(TestPNG(before: [TestPNG.chunk("eXIf", block)]).bytes)
    #expect(image.metadata.entries.isEmpty)
    #expect(image.notes == ["the Exif block is damaged and was left out"])
    #expect(try image.base().size == image.size)
  }

  /// A text of 1 GB in a megabyte, and a profile of the same kind: neither is taken.
  @Test func zipBombs() throws {
    let zeros = TestPNG.zlib([UInt8](repeating: 0, count: 200 << 20), level: 12)
    let text = TestPNG.chunk(
      "iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 1, 0, 0, 0] + zeros)
    let profile = TestPNG.chunk("iCCP", [65, 0, 0] + zeros)
    let image = try StillImage(TestPNG(before: [text, profile]).bytes)
    #expect(image.metadata.xmp == nil && image.color == .assumed && image.notes.count == 1)
  }
}
