import ImageCore
import RawFilter
import Testing

@Suite struct RAWSamplesTests {
  private static let size = PixelSize(width: 64, height: 48)

  /// A mosaic of one color: camera values of 0…1 between the levels.
  private static func flat(
    _ color: SIMD3<Double>, _ filters: [UInt8] = [0, 1, 1, 2]
  ) -> RAWSamples {
    let samples = (0..<size.area).map { at -> UInt16 in
      let filter = filters[at / size.width % 2 * 2 + at % size.width % 2]
      return UInt16((512 + color[Int(filter)] * (16383 - 512)).rounded())
    }
    return RAWSamples(
      size: size, layout: .bayer(filters), samples: samples, black: 512, white: 16383,
      neutral: SIMD3(0.5, 1, 0.7))
  }

  private static func sceneLinear(_ samples: RAWSamples) throws -> SIMD3<Float> {
    var filter = try RAWFilter(samples: samples)
    (filter.boostAmount, filter.baselineExposure) = (0, 0)
    let image = try filter.outputImage().image
    return image[image.size.width / 2, image.size.height / 2]
  }

  /// What has the ratio of the neutral is gray, as bright as its green is beside saturation's.
  @Test(arguments: [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]] as [[UInt8]])
  func neutralIsGray(filters: [UInt8]) throws {
    let dark = try Self.sceneLinear(Self.flat(SIMD3(0.05, 0.1, 0.07), filters))
    let bright = try Self.sceneLinear(Self.flat(SIMD3(0.15, 0.3, 0.21), filters))
    #expect((dark.max() - dark.min()) / dark.max() < 0.002)
    #expect(abs(bright.y / dark.y - 3) < 0.01)
  }

  @Test func redIsRed() throws {
    let red = try Self.sceneLinear(Self.flat(SIMD3(0.3, 0.1, 0.07)))
    #expect(red.x > 2 * red.y && red.x > 2 * red.z)
  }

  @Test func pixelsOfThreeSamplesNeedNoDemosaic() throws {
    var samples = Self.flat(SIMD3(0, 0, 0))
    samples.layout = .rgb
    samples.samples = (0..<Self.size.area).flatMap { _ in [2000, 3488, 2595] as [UInt16] }
    let gray = try Self.sceneLinear(samples)
    #expect((gray.max() - gray.min()) / gray.max() < 0.002)
  }

  @Test func monochromeIsGray() throws {
    var samples = Self.flat(SIMD3(repeating: 0.25))
    samples.layout = .monochrome
    let gray = try Self.sceneLinear(samples)
    #expect(gray.x == gray.y && gray.y == gray.z && gray.x > 0)
  }

  @Test func theFilterSaysWhatWasGiven() throws {
    var samples = Self.flat(SIMD3(0.2, 0.2, 0.2))
    samples.orientation = .right
    samples.cameraModel = "Bench 1"
    let filter = try RAWFilter(samples: samples)
    #expect(try filter.outputImage().image.size == PixelSize(width: 48, height: 64))
    #expect(filter.properties.model == "Bench 1")
  }

  @Test func contradictionsAreRefused() {
    var short = Self.flat(SIMD3(0.1, 0.1, 0.1))
    short.samples.removeLast()
    var levels = Self.flat(SIMD3(0.1, 0.1, 0.1))
    levels.white = levels.black
    var filters = Self.flat(SIMD3(0.1, 0.1, 0.1))
    filters.layout = .bayer([0, 1, 2, 3])
    for samples in [short, levels, filters] {
      let error = #expect(throws: RAWError.self) { try RAWFilter(samples: samples) }
      #expect(error?.code == .unsupported)
    }
  }
}
