import HDRRender
import ImageCore
import Readers
import Testing

/// Gain maps as auxiliary pictures: what Core Video would find in their bytes.
@Suite struct AuxiliaryGainMapTests {
  private func map(_ width: Int, channels: Int, maximumCode: UInt16) throws -> GainMapImage {
    let size = PixelSize(width: width, height: 3)
    let codes = (0..<3 * width * channels).map { UInt16(truncatingIfNeeded: $0 * 37) % maximumCode }
    return try GainMapImage(
      size: size, channels: channels, codes: codes, maximumCode: maximumCode)
  }

  /// Rows are padded to four bytes, more than eight bits are in the upper bits, and the samples
  /// round-trip.
  @Test(arguments: [
    (5, 1, UInt16(255), "L008", 8), (5, 1, 1023, "L010", 12), (5, 1, 4095, "L012", 12),
    (5, 1, 65_535, "L016", 12), (5, 3, 255, "BGRA", 20), (5, 3, 1023, "l64r", 40),
    (4, 1, 255, "L008", 4),
  ]) func layouts(width: Int, channels: Int, maximumCode: UInt16, name: String, stride: Int) throws
  {
    let map = try map(width, channels: channels, maximumCode: maximumCode)
    let auxiliary = AuxiliaryGainMap(map, metadata: GainMapParameters())
    #expect(auxiliary.description.pixelFormat.rawValue == name)
    #expect(auxiliary.description.bytesPerRow == stride && auxiliary.data.count == 3 * stride)
    #expect(auxiliary.description.width == width && auxiliary.description.height == 3)
    #expect(try auxiliary.image() == map)
    let second = map.codes[channels]
    switch name {
    case "L008": #expect(auxiliary.data[1] == UInt8(second))
    case "BGRA":
      #expect(Array(auxiliary.data[4..<8]) == [5, 4, 3].map { UInt8(map.codes[$0]) } + [255])
    case "l64r":
      #expect(auxiliary.data[9] == UInt8(second >> 2) && auxiliary.data[6...7] == [255, 255])
    default:
      let shift = UInt16(maximumCode.leadingZeroBitCount)
      #expect(auxiliary.data[2] == UInt8(second << shift & 255))
      #expect(auxiliary.data[3] == UInt8((second << shift) >> 8))
    }
  }

  @Test func namesAreNumbers() {
    #expect(AuxiliaryGainMap.PixelFormat.oneComponent8.code == 0x4C30_3038)
    #expect(AuxiliaryGainMap.PixelFormat.bgra8.code == 0x4247_5241)
  }

  /// A bitmap that came back from elsewhere may have longer rows; what it does not hold is refused.
  @Test func editedBitmaps() throws {
    let map = try map(5, channels: 1, maximumCode: 255)
    let auxiliary = AuxiliaryGainMap(map, metadata: GainMapParameters())
    #expect(try auxiliary.replacing(bitmap: auxiliary.data, bytesPerRow: 8) == auxiliary)
    var wide = [UInt8](repeating: 9, count: 3 * 16)
    for y in 0..<3 { for x in 0..<5 { wide[16 * y + x] = UInt8(10 * y + x) } }
    let edited = try auxiliary.replacing(bitmap: wide, bytesPerRow: 16)
    #expect(try edited.image().codes == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24])
    for (count, stride) in [(48, 6), (48, 4), (16, 16), (0, 8), (15, 0), (48, .max - 3)] {
      #expect(throws: GainMapError.self) {
        try auxiliary.replacing(bitmap: [UInt8](repeating: 0, count: count), bytesPerRow: stride)
      }
    }
  }
}
