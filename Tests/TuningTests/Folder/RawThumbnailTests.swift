import Foundation
import ImageCore
import ImageFilters
import RawFilter
import Readers
import SyntheticRaw
import TestSupport
import Testing

@testable import Tuning

@Suite struct RawThumbnailTests {
  /// A black raw of 32 × 16 pixels, whose preview, if any, is red to the left and green to the
  /// right.
  static func writer(preview size: PixelSize? = nil, _ orientation: Orientation = .up) -> DNGWriter
  {
    var writer = DNGWriter(
      size: PixelSize(width: 32, height: 16), layout: .linear,
      samples: [UInt16](repeating: 500, count: 32 * 16 * 3))
    writer.white = [1000]
    writer.orientation = orientation
    writer.preview = size.flatMap { size in
      let row = (0..<size.width).flatMap {
        $0 < size.width / 2 ? [220, 30, 30] : [30, 220, 30] as [UInt8]
      }
      return DNGPreview(size: size, srgb: (0..<size.height).flatMap { _ in row }, quality: 95)
    }
    return writer
  }

  private func thumbnail(_ writer: DNGWriter, side: Int) throws -> StillImage {
    let raw = try RAWFilter(data: Data(try writer.bytes))
    return try StillImage(try Self.jpeg(of: raw, side))
  }

  private static func jpeg(of raw: RAWFilter, _ side: Int) throws -> [UInt8] {
    let thumbnail = RawThumbnail(side: side)
    return try thumbnail.preview(of: raw) ?? thumbnail.developed(raw)
  }

  /// Linear values of the pixel at the fractions `x`, `y` of the picture.
  private func pixel(_ picture: StillImage, _ x: Double, _ y: Double) throws -> SIMD3<Float> {
    let source = try picture.base()
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    let (width, height) = (Double(source.size.width), Double(source.size.height))
    try source.read(
      PixelRect(x: Int(x * width), y: Int(y * height), width: 1, height: 1), into: buffer)
    let rows = buffer.rows(0)
    return SIMD3(rows.red[0], rows.green[0], rows.blue[0])
  }

  @Test func showsThePreviewAsItIs() throws {
    for (width, side) in [(640, 240), (640, 640), (640, 100), (3000, 240), (90, 240)] {
      let size = PixelSize(width: width, height: width / 2)
      let picture = try thumbnail(Self.writer(preview: size), side: side)
      #expect(picture.size == size.reduced(longerSide: min(side, width)), "\(width) \(side)")
      #expect(picture.color.primaries == .srgb)
      let (left, right) = (try pixel(picture, 0.2, 0.5), try pixel(picture, 0.8, 0.5))
      // 220 and 30 in sRGB.
      for (value, wanted) in [
        (left.x, 0.716), (left.y, 0.013), (right.x, 0.013), (right.y, 0.716),
      ] as [(Float, Float)] {
        #expect(abs(value - wanted) < 0.03)
      }
    }
  }

  @Test(arguments: Orientation.allCases) func isUpright(orientation: Orientation) throws {
    let stored = PixelSize(width: 320, height: 160)
    let picture = try thumbnail(Self.writer(preview: stored, orientation), side: 200)
    #expect(picture.size == orientation.upright(PixelSize(width: 200, height: 100)))
    // Where the upright picture has what is stored at the left edge.
    let (x, y): (Double, Double) =
      switch orientation {
      case .up, .downMirrored: (0.1, 0.5)
      case .upMirrored, .down: (0.9, 0.5)
      case .leftMirrored, .right: (0.5, 0.1)
      case .rightMirrored, .left: (0.5, 0.9)
      }
    let pixel = try pixel(picture, x, y)
    #expect(pixel.x > 0.5 && pixel.y < 0.1, "\(pixel)")
  }

  @Test func isDevelopedWhereThereIsNoPreview() throws {
    let picture = try thumbnail(Self.writer(), side: 16)
    #expect(picture.size == PixelSize(width: 16, height: 8))
    let pixel = try pixel(picture, 0.5, 0.5)
    #expect(pixel.min() > 0.1)
  }

  /// An uncompressed one is taken before the raw is developed.
  @Test(arguments: ["adobe_01_jxl_linear_raw_integer.dng", "adobe_02_jxl_linear_raw_float.dng"])
  func thumbnailsWithoutCompressionCount(name: String) throws {
    let raw = try RAWFilter(url: try SharedFiles.url("raws/" + name))
    #expect(raw.previewImage == nil)
    let jpeg = try #require(try RawThumbnail(side: 240).preview(of: raw))
    let picture = try StillImage(jpeg)
    #expect(max(picture.size.width, picture.size.height) == 240)
    let upright = raw.outputSize
    #expect((upright.width > upright.height) == (picture.size.width > picture.size.height))
    // Smaller ones are not enlarged.
    let large = try #require(try RawThumbnail(side: 1440).preview(of: raw))
    #expect(try StillImage(large).size.area <= 256 * 256)
    // It is the same scene.
    let mean = try [0.2, 0.5, 0.8].map { try pixel(picture, $0, 0.5).max() }.max() ?? 0
    #expect(mean > 0.02 && mean <= 1)
  }

  /// Of settings of their own: no side is longer for a crop.
  @Test func isDevelopedAtItsSettings() throws {
    var raw = try RAWFilter(
      data: Data(try Self.writer(preview: PixelSize(width: 64, height: 32)).bytes))
    raw.settings.frame.crop = try CropArea("0,0,8,16")
    raw.exposure = -20
    let picture = try StillImage(try RawThumbnail(side: 16).developed(raw))
    #expect(picture.size == PixelSize(width: 8, height: 16))
    #expect(try pixel(picture, 0.5, 0.5).max() < 0.01)
  }

  @Test(arguments: [
    "canon30d_IMG_0848.CR2", "canonG10_plant_window.cr2", "gopro_hero7_colorchecker.GPR",
    "lgH815_lossy_1mp.dng",
  ]) func camerasFilesHaveOne(name: String) throws {
    let raw = try RAWFilter(url: try SharedFiles.url("raws/" + name))
    let picture = try StillImage(try Self.jpeg(of: raw, 240))
    #expect(max(picture.size.width, picture.size.height) <= 240)
    let upright = raw.outputSize
    #expect((upright.width > upright.height) == (picture.size.width > picture.size.height))
  }
}
