import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Readers

/// Where a gain map is found, and where nothing is.
@Suite struct JPEGGainMapSearchTests {
  private func formats(_ file: [UInt8]) throws -> [GainMapFormat] {
    let image = try StillImage(file)
    if image.gainMap != nil { _ = try image.gainMapImage() }
    _ = try image.base()
    return image.gainMap?.formats ?? []
  }

  @Test(arguments: [true, false])
  func index(big: Bool) throws {
    let map = try TestGainMap.map([TestGainMap.iso()])
    #expect(try formats(TestJPEG.pair(TestJPEG.flat(100, 32, 24), map, big: big)) == [.iso])
  }

  @Test func thumbnailsOfTheIndex() throws {
    let flat = try TestJPEG.flat(100, 32, 24)
    let small = try TestJPEG.flat(100, 8, 6)
    let length = flat.count + TestJPEG.index([0, 0, 0]).count
    let offsets = [0, length - 10, length - 10 + small.count]
    let index = TestJPEG.index(offsets, types: [0x03_0000, 0x01_0001, 0])
    let file = TestJPEG.with([index], flat) + small + (try TestGainMap.map([TestGainMap.iso()]))
    let image = try StillImage(file)
    #expect(image.thumbnails == [PixelSize(width: 8, height: 6)])
    #expect(image.gainMap?.formats == [.iso])
  }

  @Test func androidDirectory() throws {
    let map = try TestGainMap.map([TestJPEG.xmp(TestGainMap.ultraHDR())])
    let flat = try TestJPEG.flat(100, 32, 24)
    func primary(_ length: String, padding: Int = 0) -> [UInt8] {
      TestJPEG.with([TestJPEG.xmp(TestJPEG.directory(length: length, padding: padding))], flat)
    }
    #expect(try formats(primary("\(map.count)") + map) == [.ultraHDR])
    // What follows the map is not part of it, what precedes it is padding.
    let gap = [UInt8](repeating: 0, count: 20)
    let file = primary("\(map.count)", padding: 20) + gap + map + [1, 2, 3, 4, 5]
    #expect(try formats(file) == [.ultraHDR])
    // Lengths that cannot be: found by looking behind the primary.
    for length in ["9223372036854775807", "9223372036854775808", "-1", "0", "x", "4000000000"] {
      #expect(try formats(primary(length) + map) == [.ultraHDR])
    }
  }

  @Test func behindThePrimary() throws {
    let map = try TestGainMap.map([TestJPEG.xmp(TestGainMap.ultraHDR())])
    let primary = TestJPEG.with([TestJPEG.xmp(TestGainMap.version)], try TestJPEG.flat(99, 32, 24))
    #expect(try formats(primary + map) == [.ultraHDR])
    let other = try TestJPEG.flat(99, 8, 8)
    #expect(try formats(primary + [0, 0xFF, 0xD8, 0] + other + [0xFF, 0xFF] + map) == [.ultraHDR])
    // A primary without its end marker ends where the next picture starts.
    #expect(try StillImage(Array(primary.dropLast(2)) + map).gainMap?.formats == [.ultraHDR])
    // Nothing in the primary declares a map: the data after it are not scanned.
    #expect(try formats(TestJPEG.flat(99, 32, 24) + map) == [])
  }

  @Test func indexThatLeadsNowhere() throws {
    let flat = try TestJPEG.flat(100, 32, 24)
    let map = try TestGainMap.map([TestJPEG.xmp(TestGainMap.apple)])
    for offset in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFF6, 300] {
      #expect(try formats(TestJPEG.with([TestJPEG.index([0, offset])], flat)) == [])
      #expect(try formats(TestJPEG.with([TestJPEG.index([0, offset])], flat) + map) == [.apple])
    }
    let many = TestJPEG.index((0..<4000).map { $0 * 3 })
    #expect(try formats(TestJPEG.with([many], flat)) == [])
  }

  /// Pictures that begin with their own segments and overlap after these, and a map.
  private func sharing(_ count: Int) throws -> [UInt8] {
    let flat = try TestJPEG.flat(100, 32, 24)
    // The first segment of each ends where the last one's does.
    let heads = (0..<count).flatMap { index -> [UInt8] in
      [0xFF, 0xD8, 0xFF, 0xE5] + TestJPEG.bigEndian(6 * (count - index) - 4, 2)
    }
    let segment = TestJPEG.segment(0xE6, [UInt8](repeating: 7, count: 60_000))
    let shared = Array(TestJPEG.with([segment], flat).dropFirst(2))
    let blank = [Int](repeating: 0, count: count + 2)
    let behind = flat.count + TestJPEG.index(blank).count - 10
    let offsets =
      [0] + (0..<count).map { behind + 6 * $0 } + [behind + heads.count + shared.count]
    let map = try TestGainMap.map([TestGainMap.iso()])
    return TestJPEG.with([TestJPEG.index(offsets)], flat) + heads + shared + map
  }

  /// Overlapping segments are read for each picture, up to a few times the file.
  @Test func sharedSegments() throws {
    #expect(try formats(sharing(1)) == [.iso])
    #expect(try formats(sharing(50)) == [])
  }

  /// Counting the scans of a picture takes all bytes behind it: some are looked at, not all that an
  /// index names.
  @Test func picturesInScansCountAsRead() throws {
    func formats(unusable count: Int) throws -> [GainMapFormat] {
      // No scan of it fits its size.
      var scans = TestJPEG.with(
        [try TestGainMap.iso()], try TestJPEG.ramps(16, 16, progressive: true))
      let frame = try #require(scans.indices.first { scans[$0] == 0xFF && scans[$0 + 1] == 0xC2 })
      scans.replaceSubrange(frame + 5..<frame + 9, with: [60, 0, 60, 0])
      let flat = try TestJPEG.flat(100, 32, 24)
      let blank = TestJPEG.index([Int](repeating: 0, count: count + 2))
      let start = flat.count + blank.count - 10
      let offsets = [0] + (0...count).map { start + $0 * scans.count }
      var file = TestJPEG.with([TestJPEG.index(offsets)], flat)
      for _ in 0..<count { file += scans }
      file += try TestGainMap.map([TestGainMap.iso()])
      return try self.formats(file + [UInt8](repeating: 0, count: 200_000))
    }
    #expect(try formats(unusable: 2) == [.iso])
    #expect(try formats(unusable: 9) == [])
  }

  @Test func fillBytesAndGarbage() throws {
    let map = try TestGainMap.map([TestGainMap.iso()])
    let pair = TestJPEG.pair(try TestJPEG.ramps(32, 24), map)
    let clean = try StillImage(pair)
    // Fill bytes, a stray restart marker and garbage before the first table; the index no longer
    // fits.
    let table = try #require(pair.indices.first { pair[$0] == 0xFF && pair[$0 + 1] == 0xDB })
    var file = pair
    file.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: table)
    let image = try StillImage(file)
    #expect(image.gainMap == clean.gainMap && image.notes.isEmpty)
    file.insert(contentsOf: [1, 2, 0, 3], at: table)
    let garbled = try StillImage(file)
    #expect(garbled.gainMap == clean.gainMap && garbled.size == clean.size)
    _ = try garbled.base()
  }

  /// What the newest record lacks is taken from the others, down to the numbers of the maker note.
  @Test func recordsThatLackSomething() throws {
    let primary = TestJPEG.with(
      [TestJPEG.exif(maker: (1000, 0))], try TestJPEG.flat(100, 32, 24))
    func image(_ xmp: String, record: [UInt8]? = nil) throws -> StillImage {
      let segments = [TestJPEG.xmp(xmp)] + (record.map { [TestJPEG.iso($0)] } ?? [])
      return try StillImage(TestJPEG.pair(primary, try TestGainMap.map(segments)))
    }
    let complete = try image(TestGainMap.toneMap())
    #expect(complete.gainMap?.formula == .iso(try TestGainMap.metadata()))
    #expect(complete.gainMap?.formats == [.iso] && complete.notes.isEmpty)
    let both = try image(TestGainMap.toneMap() + TestGainMap.apple)
    #expect(both.gainMap?.formats == [.iso, .apple] && both.contentHeadroom == 4)
    let cut = Array(try TestGainMap.metadata().isoRecord.prefix(20))
    let damaged = try image(TestGainMap.toneMap(), record: cut)
    #expect(damaged.contentHeadroom == 4 && damaged.notes.count == 1)
    for toneMap in [
      TestGainMap.toneMap(version: "2"), TestGainMap.toneMap(alternate: ""),
      TestGainMap.toneMap(channel: ""),
    ] {
      let maker = try image(toneMap + TestGainMap.pixelData)
      #expect(maker.gainMap?.formula == .apple(headroom: 8) && maker.notes.count == 1)
      #expect(try image(toneMap + TestGainMap.apple).contentHeadroom == 3)
      #expect(try image(toneMap + TestGainMap.ultraHDR()).contentHeadroom == 4)
    }
  }

  /// A map that cannot be used does not hide one that can.
  @Test func theFirstUsableMapCounts() throws {
    let bad = try TestGainMap.map([TestJPEG.xmp(TestGainMap.toneMap(version: "9"))])
    let good = try TestGainMap.map([TestGainMap.iso()])
    let flat = try TestJPEG.flat(100, 32, 24)
    let length = flat.count + TestJPEG.index([0, 0, 0]).count
    let index = TestJPEG.index([0, length - 10, length - 10 + bad.count])
    let image = try StillImage(TestJPEG.with([index], flat) + bad + good)
    #expect(image.gainMap?.formats == [.iso] && image.notes.count == 1)
    #expect(try image.gainMapImage().size == PixelSize(width: 16, height: 12))
  }

  @Test func missingEnd() throws {
    let complete = try TestJPEG.ramps(64, 48)
    _ = try StillImage(Array(complete.dropLast(2))).base()
    let cut = try StillImage(Array(complete.dropLast(complete.count / 8)))
    #expect(throws: ReadError.self) { try cut.base() }
  }
}
