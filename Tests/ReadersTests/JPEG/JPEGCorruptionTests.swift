import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Readers

/// Hostile files cost one typed error: no trap, no hang, no memory beyond the limits. Each run
/// draws the same variants; `RAWDEV_FUZZ_ROUNDS` draws more, `RAWDEV_FUZZ_SEED` others.
@Suite struct JPEGCorruptionTests {
  private static let limits = DecodeLimits(
    maxFileBytes: 1 << 20, maxPixels: 1 << 20, maxDecodeBytes: 8 << 20)

  private static func samples() throws -> [[UInt8]] {
    let gain = [
      try TestGainMap.iso(), TestJPEG.xmp(try TestGainMap.ultraHDR() + TestGainMap.apple),
    ]
    let map = try TestGainMap.map(gain, components: 3)
    let extended = TestJPEG.segment(
      0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 65, count: 99))
    let about = [
      TestJPEG.exif(orientation: 6, maker: (500, 1000)), TestJPEG.iso(), extended,
      TestJPEG.icc(ICCProfileBytes.some, 1, of: 1),
      TestJPEG.xmp(TestGainMap.version + TestJPEG.directory(length: "\(map.count)")),
    ]
    return [
      TestJPEG.pair(TestJPEG.with(about, try TestJPEG.ramps(17, 15)), map, big: false),
      TestJPEG.pair(TestJPEG.with(about, try TestJPEG.ramps(17, 15, progressive: true)), map),
      TestJPEG.with(about, try TestJPEG.ramps(16, 16, components: 1)) + map,
    ]
  }

  /// One to six changes: a byte, a bit, a run, a hole, a repetition, an end.
  private static func spoiled(_ sample: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 16 {
      let at = Int.random(in: 2..<bytes.count, using: &random)
      let length = min(Int.random(in: 1...40, using: &random), bytes.count - at)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 3: bytes[at] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      case 4:
        for index in at..<at + length { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      case 5: bytes.removeSubrange(at..<at + length)
      case 6: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
      default: if Bool.random(using: &random) { bytes.removeSubrange(at...) }
      }
    }
    return bytes
  }

  @Test func corruptedFiles() throws {
    let seed = Damage.seed(2026)
    let count = Damage.count(800)
    for (number, sample) in try Self.samples().enumerated() {
      let read = try Self.read(sample, count: count, seed: seed &+ UInt64(number))
      print(
        "JPEG sample \(number): \(count) variants, \(read.pictures) pictures, \(read.maps) maps")
      #expect(read.pictures > 0 && read.pictures < count && read.maps > 0)
    }
  }

  @Test func corruptedPhotograph() throws {
    let phone = try SharedFiles.bytes("hdr/apple_jpeg_gainmap.jpg")
    let count = Damage.count(100)
    let read = try Self.read(phone, count: count, seed: Damage.seed(2026))
    print("JPEG of a phone: \(count) variants, \(read.pictures) pictures, \(read.maps) maps")
  }

  /// How many of `count` spoiled variants of `sample` are pictures, and how many have a gain map.
  private static func read(_ sample: [UInt8], count: Int, seed: UInt64) throws -> (
    pictures: Int, maps: Int
  ) {
    var random = SeededRandom(seed: seed)
    var (pictures, maps) = (0, 0)
    for _ in 0..<count {
      let bytes = spoiled(sample, &random)
      guard let image = try? StillImage(bytes, limits: limits) else { continue }
      #expect(image.size.area <= limits.maxPixels)
      if (try? image.gainMapImage()) != nil { maps += 1 }
      guard let linear = try? image.linear(.high) else { continue }
      let rows = PixelRect(
        x: 0, y: 0, width: linear.size.width, height: min(linear.size.height, 32))
      let buffer = try PlanarBuffer(size: rows.size)
      try linear.read(rows, into: buffer)
      pictures += 1
    }
    return (pictures, maps)
  }

  /// The width and height of `jpeg`'s frame header replaced.
  private func resized(_ jpeg: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
    var bytes = jpeg
    let at = try #require(
      bytes.indices.first { bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1]) })
    bytes.replaceSubrange(
      (at + 5)..<(at + 9), with: TestJPEG.bigEndian(height, 2) + TestJPEG.bigEndian(width, 2))
    return bytes
  }

  /// Inks are decoded through tables of their own.
  @Test func corruptedInks() throws {
    let profile = TestJPEG.icc(LCMSTruth.inkProfile().prefix(60_000) + [], 1, of: 1)
    let pixels = (0..<17 * 15 * 4).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let inks = try TestJPEG.encode(pixels, 17, 15, components: 4, cmyk: true)
    for sample in [inks, TestJPEG.with([profile], inks)] {
      for count in 0..<inks.count {
        #expect((try? StillImage(Array(sample.prefix(count)), limits: Self.limits).base()) == nil)
      }
      let read = try Self.read(sample, count: Damage.count(200), seed: Damage.seed(2027))
      #expect(read.pictures > 0)
    }
  }

  private func code(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> ReadError.Code? {
    do throws(ReadError) {
      _ = try StillImage(bytes, limits: limits)
      return nil
    } catch { return error.code }
  }

  @Test func hugeDimensions() throws {
    for progressive in [false, true] {
      let small = try TestJPEG.ramps(8, 8, progressive: progressive)
      #expect(code(try resized(small, 65_500, 65_500)) == .tooLarge)
      // Within the limit, but no file of this length holds that many blocks.
      #expect(code(try resized(small, 20_000, 20_000)) == .damaged)
      #expect(code(try resized(small, 8, 0)) == .unsupported)
    }
    // As the gain map of a sound picture.
    let map = try TestGainMap.map([TestGainMap.iso()])
    for size in [(65_500, 65_500), (20_000, 20_000), (0, 0)] {
      let huge = try resized(map, size.0, size.1)
      let image = try StillImage(TestJPEG.pair(TestJPEG.flat(99, 32, 24), huge))
      #expect(image.gainMap == nil && image.notes.count == 1)
      _ = try image.base()
    }
    // Coefficients of a progressive picture count as memory.
    let limits = DecodeLimits(maxDecodeBytes: 64 * 48 * 3 + 1000)
    #expect(code(try TestJPEG.ramps(64, 48), limits) == nil)
    #expect(code(try TestJPEG.ramps(64, 48, progressive: true), limits) == .tooLarge)
  }

  @Test func unsupportedKindsAreRefused() throws {
    var small = try TestJPEG.ramps(8, 8)
    let at = try #require(small.indices.first { small[$0] == 0xFF && small[$0 + 1] == 0xC0 })
    func isNamed(_ words: String) {
      let error = #expect(throws: ReadError.self) { try StillImage(small) }
      #expect(error?.code == .unsupported && error?.message.contains(words) == true)
      #expect(error?.message.contains("convert it") == true)
    }
    for marker in [UInt8(0xC1), 0xC2, 0xC9] {
      (small[at + 1], small[at + 4]) = (marker, 12)
      isNamed("JPEG of 12 bits")
    }
    for bits in [UInt8(8), 12, 16] {
      (small[at + 1], small[at + 4]) = (0xC3, bits)
      isNamed("lossless JPEG")
    }
    (small[at + 1], small[at + 4]) = (0xC5, 8)
    isNamed("hierarchical JPEG")
    small[at + 1] = 0xF7
    isNamed("JPEG-LS")
    #expect(code([0xFF, 0xD8, 0xFF, 0xD9]) == .damaged)
    #expect(code([0xFF, 0xD8, 0xFF]) == .damaged)
    #expect(code([UInt8](repeating: 0xFF, count: 3) + [0xD8]) != nil)
  }

  /// A progressive picture with thousands of scans costs a refusal.
  @Test func endlessScans() throws {
    let jpeg = try TestJPEG.ramps(64, 64, progressive: true)
    let starts = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
    let scan = jpeg[starts[starts.count - 1]..<(jpeg.count - 2)]
    var bomb = Array(jpeg.dropLast(2))
    for _ in 0..<2000 { bomb += scan }
    let image = try StillImage(bomb + [0xFF, 0xD9])
    #expect(throws: ReadError.self) { try image.base() }
  }

  /// Scans visit all blocks of a picture; a large one must have data for that.
  @Test func emptyScansOfLargePictures() throws {
    let jpeg = try resized(TestJPEG.ramps(64, 64, progressive: true), 20_000, 20_000)
    let starts = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
    let scan = Array(jpeg[starts[starts.count - 1]..<(jpeg.count - 2)])
    func bomb(_ count: Int) -> [UInt8] {
      Array(jpeg.dropLast(2)) + Array(repeatElement(scan, count: count).joined())
        + [UInt8](repeating: 0, count: 2_400_000)
    }
    #expect(code(bomb(32 - starts.count)) == nil)
    #expect(code(bomb(60)) == .damaged)
  }

  /// So do scans of a sequential picture with separate components, in Huffman or arithmetic coding;
  /// the latter needs no data at all.
  @Test(arguments: [UInt8(0xC1), 0xC9])
  func emptyScansOfSequentialPictures(marker: UInt8) {
    let side = TestJPEG.bigEndian(4000, 2)
    let components: [UInt8] = [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    let frame = TestJPEG.segment(marker, [8] + side + side + components)
    func bomb(_ count: Int) -> [UInt8] {
      let scans = (0..<count).map { index in
        TestJPEG.segment(0xDA, [1, UInt8(index % 3 + 1), 0, 0, 63, 0])
      }
      var bytes: [UInt8] = [0xFF, 0xD8]
      bytes += frame
      bytes += scans.joined()
      bytes += [UInt8](repeating: 0, count: 100_000)
      return bytes + [0xFF, 0xD9]
    }
    #expect(code(bomb(3)) == nil && code(bomb(32)) == nil)
    #expect(code(bomb(490)) == .damaged)
    // A first scan of all components is the only one that the decoder takes.
    let complete = TestJPEG.segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
    let start = 2 + frame.count
    var single = bomb(490)
    single.insert(contentsOf: complete, at: start)
    #expect(code(single) == nil)
  }
}

private enum ICCProfileBytes {
  /// Starts as a profile does, and is none.
  static let some: [UInt8] = [0, 0, 0, 128] + [UInt8](repeating: 7, count: 124)
}
