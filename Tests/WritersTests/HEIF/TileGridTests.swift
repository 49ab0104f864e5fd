import Foundation
import ImageCore
import Testing

@testable import Writers

struct TileGridTests {
  @Test("The tiles cover the picture once", arguments: [(1, 1), (513, 1), (1537, 1023), (5, 700)])
  func cover(width: Int, height: Int) throws {
    let grid = try TileGrid(PixelSize(width: width, height: height))
    #expect(!grid.isSinglePicture)
    #expect(grid.tile.width % 64 == 0 && grid.tile.height % 64 == 0)
    var area = 0
    for index in 0..<grid.count {
      let rect = grid.rect(index)
      #expect(PixelRect(grid.picture).contains(rect) && !rect.isEmpty)
      area += rect.size.area
    }
    #expect(area == width * height)
    #expect(grid.runs.flatMap { Array($0) } == Array(0..<grid.count))
    for run in grid.runs { #expect(Set(run.map { grid.rect($0).y }).count == 1) }
    #expect(
      grid.payload == [
        0, 0, UInt8(grid.rows - 1), UInt8(grid.columns - 1), UInt8(width >> 8), UInt8(width & 255),
        UInt8(height >> 8), UInt8(height & 255),
      ])
  }

  @Test("A picture of whole coding units within one tile is coded as it is")
  func single() throws {
    #expect(try TileGrid(PixelSize(width: 288, height: 96)).isSinglePicture)
    for (width, height) in [(289, 96), (264, 176), (104, 72), (106, 70)] {
      #expect(try !TileGrid(PixelSize(width: width, height: height)).isSinglePicture)
    }
  }

  @Test("Sizes beyond the grid are refused")
  func refusals() {
    #expect(throws: WriteError.self) { try TileGrid(PixelSize(width: 0, height: 10)) }
    #expect(throws: WriteError.self) { try TileGrid(PixelSize(width: 131_073, height: 10)) }
    #expect(throws: WriteError.self) { try TileGrid(PixelSize(width: 131_072, height: 131_072)) }
  }
}
