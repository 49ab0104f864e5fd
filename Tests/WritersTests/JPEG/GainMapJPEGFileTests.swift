import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct GainMapJPEGFileTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let isoName = "urn:iso:std:iso:ts:21496:-1\0"
  private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

  private func writer(
    _ formats: Set<GainMapFormat> = .all, workers: Int = 2
  ) throws -> JPEGWriter {
    try JPEGWriter(
      .init(.jpeg, quality: 0.95).with { $0.mapFormats = formats }, workers: workers)
  }

  /// Both pictures of a file, as its index says.
  private func pictures(_ bytes: [UInt8]) throws -> (first: DecodedJPEG, second: DecodedJPEG) {
    let first = try DecodedJPEG(bytes)
    let mpf = try #require(first.index("MPF\0"))
    let index = Array(first.segments[mpf].body.dropFirst(4))
    #expect(index.count == 82 && index.starts(with: Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 3]))
    func number(_ at: Int) -> Int { index[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    #expect(Array(index[14..<22]) == [0, 0, 0, 4] + Array("0100".utf8))
    #expect(number(30) == 2 && number(42) == 50 && number(46) == 0)
    // The entries: kind, size, offset, two of nothing.
    #expect(number(50) == 0x030000 && number(58) == 0 && number(62) == 0)
    #expect(number(66) == 0 && number(78) == 0)
    let start = first.offsets[mpf] + 4 + number(74)
    #expect(number(54) == start)
    #expect(number(70) == bytes.count - start)
    #expect(Array(bytes[(start - 2)..<(start + 2)]) == [0xFF, 0xD9, 0xFF, 0xD8])
    // Only tables follow the index.
    #expect(first.segments.suffix(from: mpf + 1).allSatisfy { $0.marker & 0xF0 != 0xE0 })
    return (first, try DecodedJPEG(Array(bytes[start...])))
  }

  @Test("One file holds all three formats, in order, with one map")
  func structure() throws {
    let scene = try GainMapScene(600, 400)
    let bytes = try writer().encode(scene.standard, gainMap: scene.map)
    let (first, second) = try pictures(bytes)
    #expect(first.size == scene.standard.size && second.size == PixelSize(width: 300, height: 200))
    #expect(second.channels == 1)
    #expect(
      [
        "JFIF\0", "Exif\0\0", Self.xmpName, "ICC_PROFILE\0", Self.isoName, "MPF\0",
      ].map { first.index($0) } == [0, 1, 2, 3, 4, 5])
    #expect(first.segments[0].body.suffix(4) == Array("AMPF".utf8)[...])
    #expect(first.body(Self.isoName) == [0, 0, 0, 0])
    let packet = String(decoding: try #require(first.body(Self.xmpName)), as: UTF8.self)
    let mpf = try #require(first.index("MPF\0"))
    let length = first.segments[mpf].body[74..<78].reduce(0) { $0 << 8 | Int($1) }
    #expect(
      packet.contains(
        "Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(length)\""))
    #expect(packet.contains("hdrgm:Version=\"1.0\""))
    let record = try GainMapMetadata(isoRecord: try #require(second.body(Self.isoName)))
    let own = try #require(second.body(Self.xmpName))
    let values = try GainMapMetadata(try #require(try HDRGMValues(xmp: own)))
    let (a, b) = (record.channel(0), values.channel(0))
    #expect(abs(a.maximumStops - b.maximumStops) < 1e-9 && abs(a.gamma - b.gamma) < 1e-9)
    #expect(abs(record.alternateHeadroomStops - values.alternateHeadroomStops) < 1e-9)
    let apple = try #require(AppleGainMap(xmp: own))
    #expect(abs(log2(try #require(apple.declaredHeadroom)) - a.maximumStops) < 1e-8)
    let text = String(decoding: own, as: UTF8.self)
    #expect(text.contains("apdi:AuxiliaryImageType=\"\(HEIFProperty.appleGainMap)\""))
    #expect(text.contains("apdi:StoredFormat=\"1278226488\""))
    let note = AppleMakerNote.bytes(headroom: exp2(a.maximumStops))
    let exif = try #require(first.body("Exif\0\0"))
    #expect(exif.indices.contains { exif[$0...].starts(with: note) })
  }

  @Test("Each format is written alone on request")
  func formats() throws {
    let scene = try GainMapScene(160, 96)
    for formats: Set<GainMapFormat> in [[.apple], [.iso], [.ultraHDR]] {
      let (first, second) = try pictures(
        try writer(formats).encode(scene.standard, gainMap: scene.map))
      #expect((first.index(Self.isoName) != nil) == (formats == [.iso]))
      #expect((second.index(Self.isoName) != nil) == (formats == [.iso]))
      let packet = try #require(first.body(Self.xmpName))
      #expect(
        String(decoding: packet, as: UTF8.self).contains("Container:") == (formats == [.ultraHDR]))
      #expect((second.index(Self.xmpName) == nil) == (formats == [.iso]))
      let own = second.body(Self.xmpName) ?? []
      #expect((AppleGainMap(xmp: own) != nil) == (formats == [.apple]))
      #expect((try HDRGMValues(xmp: own) != nil) == (formats == [.ultraHDR]))
    }
  }

  @Test("All formulas read back reproduce the HDR rendition")
  func roundTrip() throws {
    let scene = try GainMapScene(640, 448)
    for formats: Set<GainMapFormat> in [.all, [.apple], [.iso], [.ultraHDR]] {
      let (first, second) = try pictures(
        try writer(formats).encode(scene.standard, gainMap: scene.map))
      let base = try GainMapScene.linear(first.codes, size: first.size)
      let map = try GainMapImage(size: second.size, channels: 1, bytes: second.codes)
      func error(_ formula: GainMapPicture.Formula) throws -> Double {
        try scene.error(
          of: GainMapPicture(base: base, map: map, formula: formula).rendition(displayHeadroom: 99))
      }
      let own = second.body(Self.xmpName) ?? []
      if let record = second.body(Self.isoName) {
        #expect(try error(.iso(try GainMapMetadata(isoRecord: record))) < 0.02)
      }
      if let values = try HDRGMValues(xmp: own) {
        #expect(try error(.iso(try GainMapMetadata(values))) < 0.02)
      }
      if let apple = AppleGainMap(xmp: own) {
        let headroom = try #require(apple.headroom(maker: nil))
        // Beside the others the curve is only near.
        #expect(try error(.apple(headroom: headroom)) < (formats == [.apple] ? 0.03 : 0.06))
      }
    }
  }

  @Test("A three-channel map preserves the colors of the HDR rendition")
  func color() throws {
    let scene = try GainMapScene(320, 256, kind: .rgb)
    let path = folder.file("a.jpg")
    let written = try writer().write(scene.standard, gainMap: scene.map, to: .replacing(path))
    #expect(written.notes.count == 1)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes == (try writer(workers: 1).encode(scene.standard, gainMap: scene.map)))
    let (first, second) = try pictures(bytes)
    #expect(second.channels == 3)
    let picture = GainMapPicture(
      base: try GainMapScene.linear(first.codes, size: first.size),
      map: try GainMapImage(size: second.size, channels: 3, bytes: second.codes),
      formula: .iso(try GainMapMetadata(isoRecord: try #require(second.body(Self.isoName)))))
    #expect(try scene.error(of: picture.rendition(displayHeadroom: 4)) < 0.02)
    // Gains in other primaries: the map's profile names them, and hdrgm cannot say it.
    let foreign = StoredGainMap(
      scene.created.image,
      metadata: try GainMapMetadata(
        channels: scene.created.metadata.channels, alternateHeadroomStops: 2,
        usesBaseColorSpace: false), alternatePrimaries: .bt2020)
    let other = try pictures(try writer().encode(scene.standard, gainMap: foreign))
    #expect(
      other.second.body("ICC_PROFILE\0") == [1, 1] + (try ColorSpace.linearBT2020.iccProfile()))
    #expect(other.second.index(Self.xmpName) == nil)
  }

  @Test("Unsupported combinations are refused")
  func refusals() throws {
    let scene = try GainMapScene(304, 64)
    #expect(throws: WriteError.self) { try writer().encode(scene.high, gainMap: scene.map) }
    let high = try GainMapScene(304, 64, isBaseHDR: true)
    #expect(throws: WriteError.self) { try writer().encode(scene.standard, gainMap: high.map) }
    #expect(throws: WriteError.self) { try writer([]) }
    #expect(throws: WriteError.self) { try JPEGWriter(.init(.jpeg).with { $0.mapQuality = -0.1 }) }
  }
}
