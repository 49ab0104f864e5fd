import Containers
import Formats
import ImageCore
import RawDecode
import RawTestSupport
import SyntheticRaw
import Testing

@testable import DNGWriting

/// The tags of a raw that is not a DNG, in the order defined by DNG.
@Suite struct DNGCameraTests {
  /// ActiveArea is top, left, bottom, right of the stored picture, the crop left, top, width,
  /// height of the active area (DNG 1.7.1, chapter 4): distinct numbers.
  @Test func areasHaveTheOrderOfDNG() throws {
    let size = PixelSize(width: 60, height: 40)
    let source = SyntheticRaw.DNGWriter(
      size: size, layout: .mosaic(.bayer(.rggb)),
      samples: (0..<size.area).map { UInt16($0 % 4000) })
    let raw = try RawFile.open(bytes: try source.bytes)
    var info = raw.info
    info.activeArea = PixelRect(x: 12, y: 4, width: 44, height: 30)
    info.cameraFrame = PixelRect(x: 6, y: 3, width: 32, height: 21)
    let make = DNGFields(bigEndian: false)
    var (main, picture) = (DNGDirectory(), DNGDirectory())
    DNGCamera(info, try raw.decodeStored(), make).add(to: &main, picture: &picture)
    #expect(picture.fields.contains(make.longs(DNGTag.activeArea, [4, 12, 34, 56])))
    #expect(picture.fields.contains(make.longs(DNGTag.defaultCropOrigin, [6, 3])))
    #expect(picture.fields.contains(make.longs(DNGTag.defaultCropSize, [32, 21])))
    // Without the camera's frame, the visible area.
    info.cameraFrame = nil
    info.crop = PixelRect(x: 1, y: 7, width: 40, height: 22)
    picture = DNGDirectory()
    DNGCamera(info, try raw.decodeStored(), make).add(to: &main, picture: &picture)
    #expect(picture.fields.contains(make.longs(DNGTag.defaultCropOrigin, [1, 7])))
    #expect(picture.fields.contains(make.longs(DNGTag.defaultCropSize, [40, 22])))
  }
}
