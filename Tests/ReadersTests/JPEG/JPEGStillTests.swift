import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import PictureLoading
import Testing
import Writers

@testable import Readers

@Suite struct JPEGStillTests {
  private static func first(_ source: any PixelSource<DisplayReferred>) throws -> SIMD3<Float> {
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    try source.read(PixelRect(x: 0, y: 0, width: 1, height: 1), into: buffer)
    return SIMD3(buffer.row(0, 0)[0], buffer.row(1, 0)[0], buffer.row(2, 0)[0])
  }

  @Test(arguments: [false, true])
  func plain(progressive: Bool) throws {
    let image = try StillImage(TestJPEG.ramps(40, 24, progressive: progressive))
    #expect(image.kind == .jpeg && image.size == PixelSize(width: 40, height: 24))
    #expect(image.channels == 3 && image.bitDepth == 8 && image.color.origin == .assumed)
    #expect(image.gainMap == nil && image.notes.isEmpty && image.contentHeadroom == 1)
    #expect(throws: ReadError.self) { try image.gainMapImage() }
    // The same picture in both ways of coding it.
    let base = try image.base()
    #expect(try Self.first(base) == Self.first(try StillImage(TestJPEG.ramps(40, 24)).base()))
  }

  @Test func grayAndTurned() throws {
    let flat = try TestJPEG.flat(188, 24, 16, components: 1)
    let image = try StillImage(TestJPEG.with([TestJPEG.exif(orientation: 6)], flat))
    #expect(image.size == PixelSize(width: 16, height: 24) && image.channels == 1)
    let linear = try Self.first(try image.base())
    #expect(linear.x == linear.y && abs(linear.x - 0.50289) < 1e-4)
  }

  @Test func isoOnly() throws {
    let file = TestJPEG.pair(
      TestJPEG.with([TestJPEG.iso()], try TestJPEG.flat(188, 32, 24)),
      try TestGainMap.map([TestGainMap.iso()]))
    let image = try StillImage(file)
    let map = try #require(image.gainMap)
    #expect(map.formats == [.iso] && map.size == PixelSize(width: 16, height: 12))
    #expect(map.channels == 1 && map.bitDepth == 8 && map.alternatePrimaries == nil)
    #expect(map.formula == .iso(try TestGainMap.metadata()))
    #expect(image.contentHeadroom == 4 && image.notes.isEmpty)
    let codes = try image.gainMapImage()
    #expect(codes.codes.allSatisfy { $0 == 191 } && codes.maximumCode == 255)
    let offset = Float(1.0 / 64)
    let expected = (0.50289 + offset) * Float(exp2(2 * 191.0 / 255)) - offset
    let linear = try Self.first(try image.linear(.high))
    #expect(abs(linear.x - expected) < 1e-3 && abs(linear.z - expected) < 1e-3)
  }

  @Test func ultraHDROnly() throws {
    let file = TestJPEG.pair(
      TestJPEG.with([TestJPEG.xmp(TestGainMap.version)], try TestJPEG.flat(188, 32, 24)),
      try TestGainMap.map([TestJPEG.xmp(TestGainMap.ultraHDR())], components: 3))
    let image = try StillImage(file)
    #expect(image.gainMap?.formats == [.ultraHDR] && image.gainMap?.channels == 3)
    #expect(image.gainMap?.formula == .iso(try TestGainMap.metadata()))
    #expect(image.metadata.xmp?.isEmpty == false && image.notes.isEmpty)
  }

  /// Offsets that floats cannot add to a picture and take away again would turn it black.
  @Test func offsetsBeyondReasonLeaveTheBase() throws {
    let values = HDRGMValues(
      gainMapMax: [2], offsetSDR: [1e39], offsetHDR: [1e39], hdrCapacityMax: 2)
    let image = try StillImage(
      TestJPEG.pair(
        TestJPEG.flat(188, 32, 24), TestGainMap.map([TestJPEG.xmp(values.xmpDescription)])))
    #expect(image.gainMap == nil && image.notes.count == 1)
    #expect(try abs(Self.first(try image.linear(.high)).x - 0.50289) < 1e-4)
  }

  @Test func appleByItsDeclaredHeadroom() throws {
    let file = TestJPEG.pair(
      try TestJPEG.flat(188, 32, 24), try TestGainMap.map([TestJPEG.xmp(TestGainMap.apple)]))
    let image = try StillImage(file)
    #expect(image.gainMap?.formats == [.apple])
    #expect(image.gainMap?.formula == .apple(headroom: 3) && image.contentHeadroom == 3)
  }

  /// MakerApple 33 = 0.5 and 48 = 1 mean 2.82843; a version alone means nothing.
  @Test func appleByItsMakerNote() throws {
    let old = AppleGainMap(version: AppleGainMap.versionWithoutHeadroom).xmpDescription
    let map = try TestGainMap.map([TestJPEG.xmp(old)])
    let flat = try TestJPEG.flat(188, 32, 24)
    let image = try StillImage(
      TestJPEG.pair(TestJPEG.with([TestJPEG.exif(maker: (500, 1000))], flat), map))
    #expect(image.makerApple == .init(headroom33: 0.5, gain48: 1))
    #expect(abs(image.contentHeadroom - 2.82843) < 1e-5)
    let without = try StillImage(TestJPEG.pair(flat, map))
    #expect(without.gainMap == nil && without.notes.count == 1)
  }

  /// ISO counts before Ultra HDR, that before Apple; what is damaged is passed over and noted.
  @Test func allFormats() throws {
    let flat = try TestJPEG.with([TestJPEG.iso()], TestJPEG.flat(188, 32, 24))
    let other = HDRGMValues(gainMapMax: [1], hdrCapacityMax: 1).xmpDescription
    let xmp = TestJPEG.xmp(other + TestGainMap.apple)
    let all = try StillImage(TestJPEG.pair(flat, TestGainMap.map([TestGainMap.iso(), xmp])))
    #expect(all.gainMap?.formats == [.iso, .ultraHDR, .apple] && all.contentHeadroom == 4)
    let short = TestJPEG.iso(Array(try TestGainMap.metadata().isoRecord.prefix(30)))
    let rest = try StillImage(TestJPEG.pair(flat, TestGainMap.map([short, xmp])))
    #expect(rest.gainMap?.formats == [.ultraHDR, .apple] && rest.contentHeadroom == 2)
    #expect(rest.notes.count == 1 && rest.notes[0].contains("ISO"))
  }

  /// Display headroom 1 gives the base bit for bit.
  @Test func noHeadroomIsTheBase() throws {
    let primary = try TestJPEG.ramps(33, 17)
    for segments in [
      [try TestGainMap.iso()], [TestJPEG.xmp(try TestGainMap.ultraHDR())],
      [TestJPEG.xmp(TestGainMap.apple)],
    ] {
      let image = try StillImage(TestJPEG.pair(primary, TestGainMap.map(segments)))
      let (base, shown) = (try image.base(), try image.linear(.standard))
      let (a, b) = (try PlanarBuffer(size: base.size), try PlanarBuffer(size: base.size))
      try base.read(PixelRect(base.size), into: a)
      try shown.read(PixelRect(base.size), into: b)
      for plane in 0..<3 {
        for y in 0..<17 {
          #expect((0..<33).allSatisfy { a.row(plane, y)[$0] == b.row(plane, y)[$0] })
        }
      }
    }
  }

  @Test func damagedMapLeavesTheBase() throws {
    let map = try TestGainMap.map([TestGainMap.iso()])
    let primary = TestJPEG.with([TestJPEG.iso()], try TestJPEG.ramps(32, 24))
    // The pixels of the map end early: found when they are decoded.
    let scan = try #require(map.indices.last { map[$0] == 0xDA && map[$0 - 1] == 0xFF })
    let cut = try StillImage(TestJPEG.pair(primary, Array(map[...(scan + 12)])))
    #expect(throws: ReadError.self) { try cut.gainMapImage() }
    let shown = try cut.picture()
    #expect(shown.contentHeadroom == 1 && shown.notes.count == 1)
    #expect(shown.notes.allSatisfy { $0.hasPrefix("its gain map is damaged and was left out: ") })
    #expect(try LoadedPicture(cut).notes == cut.notes + shown.notes)
    // No header: found when the file is opened.
    let none = try StillImage(TestJPEG.pair(primary, Array(map[..<40])))
    #expect(none.gainMap == nil && none.notes.count == 1)
    _ = try none.base()
    // No map at all, but the primary declares one.
    let lost = try StillImage(primary)
    #expect(lost.gainMap == nil && lost.notes.count == 1)
  }

  /// Of a pixel in other primaries the map's own profile tells.
  @Test func alternatePrimaries() throws {
    let record = TestJPEG.iso(try TestGainMap.metadata(baseColor: false).isoRecord)
    let profile = try ColorSpace.displayP3.iccProfile()
    let map = try TestGainMap.map([record, TestJPEG.icc(profile, 1, of: 1)], components: 3)
    let image = try StillImage(TestJPEG.pair(TestJPEG.flat(188, 32, 24), map))
    #expect(image.gainMap?.alternatePrimaries == .displayP3)
  }

  /// Tables are no primaries in which a gain could act.
  @Test func alternatePrimariesWithoutAName() throws {
    let record = TestJPEG.iso(try TestGainMap.metadata(baseColor: false).isoRecord)
    let profile = LCMSTruth.lookupProfile(isLab: true)
    let map = try TestGainMap.map([record, TestJPEG.icc(profile, 1, of: 1)], components: 3)
    let image = try StillImage(TestJPEG.pair(TestJPEG.flat(188, 32, 24), map))
    #expect(image.gainMap != nil && image.gainMap?.alternatePrimaries == nil)
    #expect(image.notes.count == 1 && image.notes[0].contains("ICC"))
  }

  /// The picture is held while its map is decoded.
  @Test func aMapWithoutMemoryLeavesTheBase() throws {
    let file = TestJPEG.pair(
      try TestJPEG.flat(188, 64, 48), try TestGainMap.map([TestGainMap.iso()]))
    let bytes = 64 * 48 * 3 + 16 * 12 * 5
    let complete = try StillImage(file, limits: DecodeLimits(maxDecodeBytes: bytes)).picture()
    #expect(complete.notes.isEmpty && complete.contentHeadroom == 4)
    let alone = try StillImage(file, limits: DecodeLimits(maxDecodeBytes: bytes - 1)).picture()
    #expect(alone.notes.count == 1 && alone.notes[0].contains("raise the limit"))
    #expect(alone.contentHeadroom == 1)
  }

  /// Inks are stored for the paper that they leave bare, as YCCK (by TurboJPEG) and as they are:
  /// the same picture when nothing says that it was converted.
  @Test(arguments: [false, true]) func inks(hasProfile: Bool) throws {
    let pixel: [UInt8] = [200, 30, 90, 220]
    let pixels = Array(repeatElement(pixel, count: 16 * 16).joined())
    var ycck = try TestJPEG.encode(pixels, 16, 16, components: 4, cmyk: true)
    var profile = LCMSTruth.inkProfile()
    if hasProfile {
      var chunks: [[UInt8]] = []
      let count = UInt8(profile.count / 60_000 + 1)
      for number in 1...count {
        chunks.append(TestJPEG.icc(Array(profile.prefix(60_000)), number, of: count))
        profile = Array(profile.dropFirst(60_000))
      }
      ycck = TestJPEG.with(chunks, ycck)
    }
    let image = try StillImage(ycck)
    #expect(image.channels == 4 && image.bitDepth == 8 && image.notes.count == 1)
    #expect(image.color.origin == (hasProfile ? .profile : .assumed))
    let picture = try JPEGStill(FileBytes(ycck)).picture()
    let row = picture.row(7).assumingMemoryBound(to: UInt8.self)
    for c in 0..<4 { #expect(abs(Int(row[4 * 5 + c]) - 255 + Int(pixel[c])) < 3) }
    let linear = try image.base()
    #expect(linear.info.headroom == 1 && linear.info.primaries == .bt2020)
    // Reduced while it is decoded.
    #expect(try image.base(minSide: 4).size == PixelSize(width: 4, height: 4))

    // Adobe's segment without a transform: luma and chroma are inks.
    let name = Array("Adobe".utf8)
    let adobe = try #require(ycck.indices.first { ycck[$0...].starts(with: name) })
    ycck[adobe + 11] = 0
    let plain = try JPEGStill(FileBytes(ycck)).picture()
    let inks = plain.row(7).assumingMemoryBound(to: UInt8.self)
    #expect(abs(Int(inks[4 * 5 + 3]) - 255 + Int(pixel[3])) < 3 && inks[20] != row[20])
  }
}
