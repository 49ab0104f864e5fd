import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct GainMapAVIFWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func writer(
    _ transfer: DynamicRangeMix.Transfer = .standard, bits: Int? = nil, mapQuality: Float = 0.95,
    workers: Int = 2, tiles: TileLayout = .auto
  ) throws -> HEIFWriter {
    try HEIFWriter(
      .init(.avif, ColorSpace(transfer), bits: bits, quality: 0.95)
        .with { ($0.mapQuality, $0.tiles) = (mapQuality, tiles) },
      workers: workers)
  }

  private static func linear(_ bytes: [UInt8]) throws -> Image<DisplayReferred> {
    let file = try DecodedHEIF(bytes)
    return try GainMapScene.linear(file.codes.map(UInt8.init), size: file.size)
  }

  @Test("A file holds the picture, a hidden map and the alternate rendition")
  func structure() throws {
    // Base and map both become grids where tiles are asked for.
    let scene = try GainMapScene(2100, 66)
    let complete = try ParsedHEIF(try writer().encode(scene.standard, gainMap: scene.map))
    #expect(!complete.items.values.contains { $0.type == "grid" })
    let file = try ParsedHEIF(
      try writer(tiles: .grid).encode(scene.standard, gainMap: scene.map))
    #expect(file.brands == ["avif", "avif", "mif1", "miaf", "MA1B", "tmap"])
    let base = try #require(file.items[file.primary])
    #expect(base.type == "grid" && !base.isHidden)
    let (number, other) = try file.first("tmap")
    let map = try #require(other.reference("dimg")?.last)
    #expect(other.reference("dimg") == [file.primary, map])
    #expect(file.alternatives?.items == [number, file.primary])
    let item = try #require(file.items[map])
    #expect(item.type == "grid" && item.isHidden && item.reference("auxl") == nil)
    #expect(item.property("pixi") == HEIFProperty.depth(8, channels: 1).box)
    #expect(item.property("colr") == HEIFProperty.codePoints(.init(gainMapChannels: 1)).box)
    for tile in try #require(item.reference("dimg")) {
      let tile = try #require(file.items[tile])
      let header = try AV1Header(tile.data)
      #expect(tile.isHidden && tile.type == "av01" && header.isGray && header.isReducedStill)
      #expect(header.codes == [2, 2, 2, 1])
      #expect(tile.property("av1C")?[10] == 0x1C)
    }
    #expect(other.property("pixi") == HEIFProperty.depth(10).box)
    #expect(
      other.property("colr")
        == HEIFProperty.codePoints(.init(.displayP3, .pq)).box)
    #expect(other.property("clli") != nil && base.property("clli") == nil)
    #expect(base.property("colr")?[8..<12] == Array("prof".utf8)[...])
    #expect(try file.first("Exif").item.reference("cdsc") == [file.primary])
  }

  @Test("The map read back reproduces the HDR rendition", arguments: [(640, 448), (301, 77)])
  func roundTrip(width: Int, height: Int) throws {
    for kind in [GainMapCreation.Kind.luminance, .rgb] {
      let scene = try GainMapScene(width, height, kind: kind)
      let bytes = try writer().encode(scene.standard, gainMap: scene.map)
      let base = try Self.linear(bytes)
      #expect(base.size == scene.standard.size)
      #expect(try GainMapScene.error(of: base, to: scene.standard) < 0.015)
      let file = try ParsedHEIF(bytes)
      let picture = GainMapPicture(
        base: base, map: try DecodedHEIF.gainMap(bytes, channels: kind == .rgb ? 3 : 1),
        formula: .iso(try file.gainMapRecord))
      #expect(try scene.error(of: picture.rendition(displayHeadroom: 4)) < 0.02)
    }
  }

  @Test("An HDR picture has a map to SDR")
  func highBase() throws {
    let high = try GainMapScene(300, 200, isBaseHDR: true, primaries: .bt2020)
    for (transfer, bits) in [(DynamicRangeMix.Transfer.hlg, 10), (.pq, 12)] {
      let bytes = try writer(transfer, bits: bits).encode(high.high, gainMap: high.map)
      let file = try ParsedHEIF(bytes)
      let decoded = try DecodedHEIF(bytes)
      #expect(decoded.nclx == [9, bits == 10 ? 18 : 16, 9, 1] && decoded.bits == bits)
      #expect(file.brands.contains("MA1B") == (bits == 10))
      let base = try #require(file.items[file.primary])
      #expect(base.property("clli") != nil && base.property("mdcv") != nil)
      let other = try file.first("tmap").item
      #expect(try file.gainMapRecord.isBaseHDR)
      #expect(other.property("pixi") == HEIFProperty.depth(8).box)
      if bits == 12 { #expect(try high.standardError(ofPQ: bytes) < 0.02) }
    }
  }

  @Test("The bytes do not depend on the workers, and equal the file's")
  func deterministic() throws {
    let scene = try GainMapScene(66, 2100)
    let one = try writer(workers: 1).encode(scene.standard, gainMap: scene.map)
    #expect(one == (try writer(workers: 3).encode(scene.standard, gainMap: scene.map)))
    let path = folder.file("a.avif")
    let written = try writer().write(scene.standard, gainMap: scene.map, to: .replacing(path))
    #expect(written.notes.isEmpty && written.byteCount == one.count)
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == one)
  }

  @Test("Unsupported combinations are refused")
  func refusals() throws {
    let scene = try GainMapScene(304, 64)
    #expect(throws: WriteError.self) {
      try writer(.hlg).encode(scene.standard, gainMap: scene.map)
    }
    #expect(throws: WriteError.self) { try writer().encode(scene.high, gainMap: scene.map) }
    let high = try GainMapScene(304, 64, isBaseHDR: true)
    #expect(throws: WriteError.self) { try writer().encode(scene.standard, gainMap: high.map) }
    for quality: Float in [-0.1, 1.1, .nan] {
      #expect(throws: WriteError.self) { try writer(mapQuality: quality) }
    }
  }
}
