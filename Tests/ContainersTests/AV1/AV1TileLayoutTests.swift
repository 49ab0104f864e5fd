import ImageCore
import Testing

@testable import Containers

struct AV1TileLayoutTests {
  @Test(
    "Tiles cover the picture, within the limits of the standard",
    arguments: [
      (1, 1), (64, 64), (65, 63), (4096, 256), (4097, 257), (6000, 4000), (20_000, 64),
      (20_000, 128), (64, 65_535), (65_535, 4096), (4096, 65_535), (16_384, 16_384), (16_384, 8704),
      (65_535, 1),
    ])
  func limits(width: Int, height: Int) {
    let picture = PixelSize(width: width, height: height)
    let layout = AV1TileLayout(picture, height: 256)
    #expect(layout.tile.width % 64 == 0 && layout.tile.height % 64 == 0)
    #expect(layout.columns <= 64 && layout.rows <= 64 && layout.tile.width <= 4096)
    let sizes = (0..<layout.count).map(layout.size)
    #expect(sizes.allSatisfy { $0.width > 0 && $0.height > 0 })
    #expect(sizes.reduce(0) { $0 + $1.area } == picture.area)
    // tile_info (5.9.15): maximum rows of a tile where all sizes are explicit.
    let units = [width, height].map { ($0 + 63) / 64 }
    let area = units[0] * units[1]
    var divisions = 0
    while 64 << divisions < units[0] || 2304 << divisions < area { divisions += 1 }
    let limit = max((divisions > 0 ? area >> (divisions + 1) : area) / (layout.tile.width / 64), 1)
    #expect(layout.tile.height / 64 <= limit)
    #expect(layout.lengths[1].limit == limit)
  }

  @Test("The level is the lowest that holds the picture")
  func level() {
    for (width, height, level) in [
      (300, 200, 0), (512, 512, 1), (800, 600, 4), (1024, 1024, 5), (1920, 1080, 8),
      (3840, 2160, 12), (3000, 4500, 16), (6000, 4000, 16), (16_384, 8704, 31), (9504, 6336, 31),
    ] {
      let layout = AV1TileLayout(PixelSize(width: width, height: height), height: 256)
      #expect(layout.level == level, "\(width) × \(height)")
    }
  }

  @Test("A value below a count takes as few bits as all of them allow")
  func uniform() {
    for count in 1...70 {
      var codes = Set<[Bool]>()
      for value in 0..<count {
        var writer = BitWriter()
        writer.uniform(value, of: count)
        writer.bit(true)
        writer.fill()
        // The bits before the last one that is set.
        let bits: [Bool] = writer.bytes.flatMap { byte in
          (0..<8).map { shift -> Bool in byte >> (7 - UInt8(shift)) & 1 == 1 }
        }
        let code = Array(bits.prefix(bits.lastIndex(of: true) ?? 0))
        #expect(code.count <= Int.bitWidth - (count - 1).leadingZeroBitCount)
        codes.insert(code)
      }
      #expect(codes.count == count)
    }
  }
}
