import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct SemanticMatteTests {
  private let skin = "urn:com:apple:photo:2019:aux:semanticskinmatte"

  @Test func namesTellTheKindWhateverTheYear() {
    typealias Kind = SemanticMatte.Kind
    #expect(Kind(name: "urn:com:apple:photo:2018:aux:portraiteffectsmatte") == .portraitEffects)
    #expect(Kind(name: skin) == .skin)
    #expect(Kind(name: "urn:com:apple:photo:2031:aux:semanticHairMatte") == .hair)
    #expect(Kind(name: "urn:com:apple:photo:2019:aux:semanticteethmatte") == .teeth)
    #expect(Kind(name: "urn:com:apple:photo:2020:aux:semanticglassesmatte") == .glasses)
    #expect(Kind(name: "URN:COM:APPLE:PHOTO:2020:AUX:SEMANTICSKYMATTE") == .sky)
    #expect(Kind(name: "semantic_sky") == .other("semantic_sky"))
    #expect(Kind(name: "") == .other(""))
  }

  @Test func absentIsNil() throws {
    let filter = try AuxiliaryDNG().filter()
    #expect(filter.semanticMattes.isEmpty)
    #expect(filter.portraitEffectsMatte == nil && filter.semanticSegmentationSkinMatte == nil)
    #expect(filter.semanticSegmentationHairMatte == nil)
    #expect(filter.semanticSegmentationTeethMatte == nil)
    #expect(filter.semanticSegmentationGlassesMatte == nil)
    #expect(filter.semanticSegmentationSkyMatte == nil)
    #expect(filter.depthMap == nil && filter.transparencyMask == nil)
  }

  @Test func mattesAreFoundByNameWithoutDecoding() throws {
    let size = PixelSize(width: 4, height: 3)
    var dng = AuxiliaryDNG()
    dng.directories = [
      .matte(size, skin, [UInt8](repeating: 255, count: 12)),
      .matte(size, "semantic_sky", [UInt8](repeating: 51, count: 12)),
      .matte(PixelSize(width: 400, height: 300), "semantic_broken", [1]),
    ]
    dng.directories[1].texts[52528] = "second"
    let filter = try dng.filter()
    #expect(
      filter.semanticMattes.map(\.kind) == [
        .skin, .other("semantic_sky"), .other("semantic_broken"),
      ])
    #expect(filter.semanticMattes.map(\.instanceID) == [nil, "second", nil])
    #expect(filter.semanticSegmentationSkinMatte?.size == size)
    #expect(filter.semanticSegmentationSkyMatte == nil)
    #expect(try filter.semanticMattes[1].image().samples.allSatisfy { $0 == 0.2 })
    #expect(filter.picture.counts.decodes == 0)
    let error = #expect(throws: RAWError.self) { try filter.semanticMattes[2].image() }
    #expect(error?.code == .damaged && error?.description.contains("\n") == false)
    #expect(try filter.outputImage().image.size == filter.outputSize)
  }

  @Test func sixteenBitsAndBothOrdersAreRead() throws {
    var dng = AuxiliaryDNG()
    dng.directories = [
      .plain(
        PixelSize(width: 2, height: 1), bits: 16, subfile: 65540, photometric: 52527,
        [0xFF, 0xFF, 0x01, 0x80])
    ]
    let image = try dng.filter().semanticMattes[0].image()
    #expect(image.samples == [1, Float(0x8001) / 65535])
  }

  /// The raw shows the same numbers as the matte: each pixel of the output must meet its own.
  @Test(arguments: Orientation.allCases)
  func matteLiesAsThePictureLies(_ orientation: Orientation) throws {
    var dng = AuxiliaryDNG()
    dng.orientation = orientation
    dng.activeArea = PixelRect(x: 3, y: 2, width: 34, height: 20)
    dng.crop = PixelRect(x: 4, y: 5, width: 26, height: 12)
    // The matte covers the active area.
    let pixels = (0..<20).flatMap { y in (0..<34).map { UInt8(dng.gray($0 + 3, y + 2)) } }
    dng.directories = [.matte(PixelSize(width: 34, height: 20), skin, pixels)]
    var filter = try dng.filter()
    filter.settings = try .neutral()  // pixel for pixel as stored
    filter.settings.orientation = nil
    let matte = try #require(filter.semanticSegmentationSkinMatte)
    #expect(matte.size == filter.outputSize)
    let (image, mask) = (try filter.outputImage().image, try matte.image())
    #expect(mask.size == image.size)
    let buffer = try PlanarBuffer(size: image.size)
    try image.read(PixelRect(image.size), into: buffer)
    for y in 0..<mask.size.height {
      for x in 0..<mask.size.width {
        #expect(abs(buffer.row(1, y)[x] - mask[x, y]) < 2e-3)
      }
    }
    // A caller's own orientation counts as well.
    filter.orientation = .up
    #expect(
      try filter.semanticSegmentationSkinMatte?.image().size == PixelSize(width: 26, height: 12))
  }

  @Test func halfResolutionMeetsTheOutputWhenResized() throws {
    var dng = AuxiliaryDNG()
    dng.orientation = .right
    dng.crop = PixelRect(x: 3, y: 1, width: 30, height: 20)
    // Means of 2 × 2 pixels of the raw's ramp, so that interpolation gives the ramp back.
    let pixels = (0..<12).flatMap { y in
      (0..<20).map { x in UInt8((dng.gray(2 * x, 2 * y) + dng.gray(2 * x + 1, 2 * y + 1)) / 2) }
    }
    dng.directories = [.matte(PixelSize(width: 20, height: 12), skin, pixels)]
    var filter = try dng.filter()
    (filter.boostAmount, filter.baselineExposure) = (0, 0)
    for scale in [Float(1), 0.5, 0.37] {
      filter.scaleFactor = scale
      let image = try filter.outputImage().image
      let mask = try #require(try filter.semanticSegmentationSkinMatte?.image())
        .resized(to: filter.outputSize)
      #expect(mask.size == image.size)
      let buffer = try PlanarBuffer(size: image.size)
      try image.read(PixelRect(image.size), into: buffer)
      for y in 0..<mask.size.height {
        // The stored matte ends half a pixel early at the outermost rows and columns.
        for x in 0..<mask.size.width {
          #expect(abs(buffer.row(1, y)[x] - mask[x, y]) < 0.012)
        }
      }
    }
  }

  @Test func maskSubAreaIsPlacedAndTheRestIsZero() throws {
    var dng = AuxiliaryDNG()
    dng.orientation = .down
    dng.directories = [.matte(PixelSize(width: 3, height: 2), skin, [255, 255, 255, 255, 255, 51])]
    // Top, left, then columns and rows of the complete picture.
    dng.directories[0].fields[52536] = [4, 6, 20, 12]
    let mask = try #require(try dng.filter().semanticSegmentationSkinMatte?.image())
    #expect(mask.size == PixelSize(width: 20, height: 12))
    for y in 0..<12 {
      for x in 0..<20 {
        let (storedX, storedY) = (19 - x, 11 - y)
        let isInside = (6..<9).contains(storedX) && (4..<6).contains(storedY)
        let expected: Float = !isInside ? 0 : storedX == 8 && storedY == 5 ? 0.2 : 1
        #expect(mask[x, y] == expected)
      }
    }
  }
}
