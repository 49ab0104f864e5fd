import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

// Unusual files: without colors, with pixels that are not square.
extension RAWFilterTests {
  /// A DNG without any matrix: developed all the same, with a warning that a matrix answers.
  @Test func unknownColorsAreAWarning() throws {
    let bytes = [UInt8](try Self.file())
    let matrixTags: Set<UInt16> = [50721, 50722, 50964, 50965]
    var filter = try RAWFilter(data: Data(Self.without(matrixTags, in: bytes)))
    #expect(filter.warnings.contains(RawInfo.colorsUnknown))
    #expect(try filter.outputImage().warnings.contains(RawInfo.colorsUnknown))
    #expect(!filter.isWhiteBalanceSupported)
    filter.colorMatrix = [0.7, -0.1, -0.05, -0.4, 1.2, 0.2, -0.05, 0.15, 0.6]
    let result = try filter.outputImage()
    #expect(!result.warnings.contains(RawInfo.colorsUnknown))
    let c = result.image[80, 12]
    #expect(c.max() / c.min() < 1.03, "the as-shot white is gray under any matrix: \(c)")
    filter.colorMatrix = [1, 2, 3]
    #expect(!filter.isWhiteBalanceSupported)
  }

  /// A DNG without a white gets the estimated one.
  @Test func aMissingWhiteIsEstimated() throws {
    let bytes = [UInt8](try Self.file())
    var filter = try RAWFilter(data: Data(Self.without([50728], in: bytes)))
    #expect(filter.warnings == [RawInfo.whiteUnknown])
    let found = try filter.resolvedWhite()
    filter.settings.neutral = .automatic
    #expect(try filter.resolvedWhite() == found && found != .d65)
  }

  /// A matrix of another camera gives an implausible white.
  @Test func anImplausibleWhiteIsAWarning() throws {
    var filter = try RAWFilter(data: try Self.file())
    #expect(filter.isNeutralTemperatureSupported && filter.warnings.isEmpty)
    filter.colorMatrix = [0.4, -0.1, 0.4, -0.4, 0.5, 0.1, 0.4, 0.15, 0.9]
    #expect(!filter.isNeutralTemperatureSupported && filter.isWhiteBalanceSupported)
    #expect(filter.warnings == [RAWFilter.whiteIsImplausible])
    #expect(!filter.supportedAdjustments.contains("neutralTint"))
  }

  /// The picture is what the camera delivers: it has the size that its Exif says.
  @Test(arguments: [
    ("canon30d_IMG_0848.CR2", PixelSize(width: 3504, height: 2336), [10, 7]),
    ("canonG10_plant_window.cr2", PixelSize(width: 4416, height: 3312), [8, 7]),
  ])
  func theFrameIsTheCameras(name: String, size: PixelSize, origin: [Int]) throws {
    var filter = try RAWFilter(data: Data(try SharedFiles.bytes("raws/\(name)")))
    #expect(filter.nativeSize == size)
    (filter.boostAmount, filter.scaleFactor) = (0, 1)
    let part = try filter.plan().framing.crop
    #expect(part.size == size && [part.x, part.y] == origin)
    #expect(filter.picture.file.info.crop.contains(part))
    #expect(filter.picture.file.info.crop.width > size.width)
  }

  /// Colors of a related camera are a warning, until the caller provides a matrix.
  @Test func aRelativesColorsAreAWarning() throws {
    let raw = try SharedFiles.bytes("raws/canon30d_IMG_0848.CR2")
    var filter = try RAWFilter(data: Data(RenamedRaw.canon30D(raw, as: "Canon EOS R9X")))
    #expect(filter.colorOrigin == FactOrigin(.relative, "Canon EOS R"))
    #expect(filter.isWhiteBalanceSupported && filter.warnings.count == 1)
    #expect(filter.warnings.first?.contains("color matrix of the Canon EOS R;") == true)
    let facts = try filter.inspection()
    #expect(facts.blackOrigin.kind == .libRaw && facts.whiteOrigin.kind == .libRaw)
    filter.colorMatrix = [0.7, -0.1, -0.05, -0.4, 1.2, 0.2, -0.05, 0.15, 0.6]
    #expect(filter.warnings.isEmpty)
  }

  @Test func camerasAreListedOnce() throws {
    let cameras = try RAWFilter.supportedCameras()
    #expect(Set(cameras.map(\.name)).count == cameras.count && cameras.count > 1200)
    func camera(_ name: String) throws -> SupportedCamera {
      try #require(cameras.first { $0.name.hasPrefix(name) }, "\(name)")
    }
    let old = try camera("Canon EOS 30D")
    #expect(old.decodes == .yes && old.colors.hasPrefix("LibRaw") && old.tested == "CR2")
    // Only in the table, at least up to LibRaw 0.22.
    let new = try camera("Nikon Z 5 II")
    #expect(new.decodes == .depends && new.colors.hasPrefix("table (") && new.year == 2025)
    #expect(new.reason?.contains("not listed by LibRaw") == true)
    #expect(new.reason?.contains("High Efficiency") == true)
    #expect(try camera("Apple iPhone 16 Pro").colors == "the file")
    let again = try JSONDecoder().decode(
      [SupportedCamera].self, from: JSONEncoder().encode(cameras))
    #expect(again.map(\.name) == cameras.map(\.name))
  }

  /// The little-endian TIFF with the given tags of its first directory renamed to unknown ones.
  private static func without(_ tags: Set<UInt16>, in file: [UInt8]) -> [UInt8] {
    var bytes = file
    func u16(_ i: Int) -> UInt16 { UInt16(bytes[i]) | UInt16(bytes[i + 1]) << 8 }
    let start = Int(u16(4)) | Int(u16(6)) << 16
    for entry in 0..<Int(u16(start)) where tags.contains(u16(start + 2 + 12 * entry)) {
      bytes[start + 2 + 12 * entry] ^= 0x0F
      bytes[start + 3 + 12 * entry] = 0xEE
    }
    return bytes
  }
}

extension RAWFilterTests {
  /// DefaultScale 2 : 1. Positions are in square pixels.
  @Test func pixelsThatAreNotSquareAreStretched() throws {
    let plain = try Self.filter()
    let scale = TIFFValue.rationals([Rational(2, 1), Rational(1, 1)])
    let wide = try RAWFilter(data: Self.file(fields: [50718: scale]))
    #expect(wide.nativeSize.width == 2 * plain.nativeSize.width)
    #expect(wide.nativeSize.height == plain.nativeSize.height)
    #expect(try wide.outputImage().image.size == wide.nativeSize)
    // Square pixels count, and what no sensor has is none.
    for (pixels, isRead) in [(wide.nativeSize.area, true), (wide.nativeSize.area - 1, false)] {
      let limits = DecodeLimits(maxPixels: pixels)
      let opened = try? RAWFilter(data: Self.file(fields: [50718: scale]), limits: limits)
      #expect((opened != nil) == isRead)
    }
    let odd = TIFFValue.rationals([Rational(5, 1), Rational(1, 1)])
    #expect(
      try RAWFilter(data: Self.file(fields: [50718: odd])).nativeSize == plain.nativeSize)
    for x in [30, plain.nativeSize.width - 60] {
      var (a, b) = (plain, wide)
      a.neutralLocation = PixelPoint(x: x, y: 52)
      b.neutralLocation = PixelPoint(x: 2 * x, y: 52)
      #expect(try a.resolvedWhite() == b.resolvedWhite())
    }
  }
}
