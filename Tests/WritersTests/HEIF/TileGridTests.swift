import Codecs
import Formats
import Foundation
import ImageCore
import Testing

@testable import Writers

struct TileGridTests {
  @Test("The tiles cover the picture once", arguments: [(1, 1), (513, 1), (1537, 1023), (5, 700)])
  func cover(width: Int, height: Int) throws {
    let grid = try TileGrid(PixelSize(width: width, height: height), HEVCStillCodec())
    #expect(!grid.isSinglePicture)
    #expect(grid.tile.width % 64 == 0 && grid.tile.height % 64 == 0)
    var area = 0
    for index in 0..<grid.count {
      let rect = grid.rect(index)
      #expect(PixelRect(grid.picture).contains(rect) && !rect.isEmpty)
      area += rect.size.area
    }
    #expect(area == width * height)
    #expect(
      grid.payload == [
        0, 0, UInt8(grid.rows - 1), UInt8(grid.columns - 1), UInt8(width >> 8), UInt8(width & 255),
        UInt8(height >> 8), UInt8(height & 255),
      ])
  }

  @Test("A picture of complete coding units within one tile is coded uncropped")
  func single() throws {
    #expect(try TileGrid(PixelSize(width: 288, height: 96), HEVCStillCodec()).isSinglePicture)
    for (width, height) in [(289, 96), (264, 176), (104, 72), (106, 70)] {
      #expect(
        try !TileGrid(PixelSize(width: width, height: height), HEVCStillCodec()).isSinglePicture)
    }
  }

  @Test("AV1 codes what fits one tile as one, and divides the rest evenly")
  func av1() throws {
    for (width, height) in [(1, 1), (289, 96), (1023, 7), (1024, 1024)] {
      #expect(
        try TileGrid(PixelSize(width: width, height: height), AV1StillCodec()).isSinglePicture)
    }
    for (width, height, tile) in [(1025, 1, 576), (2048, 70, 1024), (2049, 5000, 704)] {
      let size = PixelSize(width: width, height: height)
      let grid = try TileGrid(size, AV1StillCodec(), .grid)
      #expect(!grid.isSinglePicture && grid.tile.width == tile)
      #expect(grid.tile.width % 64 == 0 && grid.tile.height % 64 == 0)
      #expect(grid.rect(grid.count - 1).endX == width && grid.rect(grid.count - 1).endY == height)
      #expect((0..<grid.count).allSatisfy { !grid.rect($0).isEmpty })
    }
    let odd = PixelSize(width: 1025, height: 64)
    #expect(TileGrid.chroma(.yuv420, of: odd, AV1StillCodec(), .grid) == .yuv444)
    #expect(TileGrid.chroma(.monochrome, of: odd, AV1StillCodec(), .grid) == .monochrome)
    #expect(TileGrid.chroma(.yuv420, of: odd, HEVCStillCodec(), .grid) == .yuv420)
    let complete = PixelSize(width: 1023, height: 5)
    #expect(TileGrid.chroma(.yuv420, of: complete, AV1StillCodec(), .grid) == .yuv420)
    #expect(TileGrid.chroma(.yuv420, of: odd, AV1StillCodec()) == .yuv420)
  }

  /// The sizes of level 6 of AV1; beyond them a grid, unless a single picture is requested.
  @Test(
    "AV1 is a single picture up to its largest level",
    arguments: [
      (6000, 4000, true), (4000, 6000, true), (7728, 4613, true), (16_384, 2176, true),
      (16_385, 100, false), (100, 8705, false), (8256, 5504, false), (9504, 6336, false),
    ])
  func chunks(width: Int, height: Int, isOne: Bool) throws {
    let size = PixelSize(width: width, height: height)
    #expect(try TileGrid(size, AV1StillCodec()).isSinglePicture == isOne)
    #expect(try TileGrid(size, AV1StillCodec(), .single).isSinglePicture)
    #expect(try !TileGrid(size, AV1StillCodec(), .grid).isSinglePicture)
    #expect(try TileGrid(size, HEVCStillCodec()).count > 1)
  }

  @Test("A single HEVC picture is coded in complete units and cropped")
  func singleHEVC() throws {
    let grid = try TileGrid(PixelSize(width: 4001, height: 3000), HEVCStillCodec(), .single)
    #expect(grid.count == 1 && grid.tile == PixelSize(width: 4032, height: 3008))
    #expect(
      try TileGrid(PixelSize(width: 4032, height: 3008), HEVCStillCodec(), .single).isSinglePicture)
    #expect(throws: WriteError.self) {
      try TileGrid(PixelSize(width: 9504, height: 6336), HEVCStillCodec(), .single)
    }
    #expect(throws: WriteError.self) {
      try TileGrid(PixelSize(width: 65_536, height: 8), AV1StillCodec(), .single)
    }
  }

  @Test("Sizes beyond the grid are refused")
  func refusals() {
    #expect(throws: WriteError.self) {
      try TileGrid(PixelSize(width: 0, height: 10), HEVCStillCodec())
    }
    #expect(throws: WriteError.self) {
      try TileGrid(PixelSize(width: 131_073, height: 10), HEVCStillCodec())
    }
    #expect(throws: WriteError.self) {
      try TileGrid(PixelSize(width: 131_072, height: 131_072), HEVCStillCodec())
    }
  }
}
