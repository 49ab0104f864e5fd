import ImageCore
import RawTestSupport
import Testing

@testable import RawFilter
@testable import RawSensor

@Suite struct BrightestColorsTests {
  private static func source(
    _ size: PixelSize, _ pixel: (Int, Int, Int) -> Float
  ) throws -> Image<CameraRGB> {
    try Image(size: size, info: CameraRGB.Info()) { (buffer: PlanarBuffer) in
      for c in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width { buffer.row(c, y)[x] = pixel(x, y, c) }
        }
      }
    }
  }

  private static func scene(_ source: Image<CameraRGB>, _ gain: Double) -> ScenePipeline {
    let matrix = Matrix3([1.5, -0.4, -0.1, 0.1, 0.8, 0.1, -0.2, 0, 1.2]) * gain
    return ScenePipeline(
      source, ScenePipeline.Color(clippedNeutral: nil, matrix: matrix, offset: 0), peak: 1)
  }

  /// Within the stated error of all pixels, for any factor, and the same however it is read.
  @Test(arguments: [false, true]) func isThatOfAllPixels(dependsOnPosition: Bool) throws {
    let size = PixelSize(width: 301, height: 207)
    let lamp: (Int, Int, Int) -> Float = { x, y, c in
      (x, y) == (300, 206) ? 9 + Float(c) : SensorFixture.hash(x, y, c) / 4 - 0.01
    }
    let shades: (Int, Int, Int) -> Float = { x, y, c in
      [Float(x) / 300, Float(y) / 206, 0.5][c]
    }
    for pixel in [lamp, shades] {
      let source = try Self.source(size, pixel)
      let colors = try [1, 3].map {
        try BrightestColors(source, dependsOnPosition: dependsOnPosition, workers: $0)
      }
      for gain in [0.25, 1, 3] {
        let scene = Self.scene(source, gain)
        let exact = try scene.peak(workers: 1)
        let found = try colors.map { try $0.peak(in: scene) }
        #expect(found[0] == found[1])
        #expect(found[0] <= exact && found[0] >= exact * (1 - 3.0 / 128))
      }
    }
  }

  @Test func narrowEmptyAndNotFinite() throws {
    for width in [1, 7, 9] {
      let source = try Self.source(PixelSize(width: width, height: 3)) { x, y, c in
        Float(x + y + c) / 8
      }
      let colors = try BrightestColors(source, dependsOnPosition: true, workers: 1)
      let scene = Self.scene(source, 1)
      #expect(try colors.peak(in: scene) == scene.peak(workers: 1))
    }
    let size = PixelSize(width: 16, height: 2)
    let dark = try Self.source(size) { _, _, _ in -0.5 }
    #expect(
      try BrightestColors(dark, dependsOnPosition: false, workers: 1)
        .peak(in: Self.scene(dark, 1)) == 0)
    for value in [Float.infinity, .nan] {
      let source = try Self.source(size) { x, y, _ in (x, y) == (3, 1) ? value : 0.5 }
      let found = try BrightestColors(source, dependsOnPosition: false, workers: 1)
        .peak(in: Self.scene(source, 1))
      #expect(found >= 0.5)
    }
  }
}
