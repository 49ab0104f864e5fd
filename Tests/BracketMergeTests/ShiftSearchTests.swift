import ImageCore
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct ShiftSearchTests {
  /// The log luminance of a gray frame of `size` photosites, two per pixel.
  private func luminance(
    _ size: PixelSize, _ value: (_ x: Int, _ y: Int) -> Float
  ) throws -> LogLuminance {
    LogLuminance(try LuminanceProxy(gray: size, time: 1, value), floor: 1e-4)
  }

  /// A scene as one sees it that is moved by (`right`, `down`) photosites.
  private func scene(_ size: PixelSize, right: Int = 0, down: Int = 0) throws -> LogLuminance {
    try luminance(size) { x, y in
      let isWide = size.width >= size.height
      let (u, v) = (x - right, y - down)
      let (along, across) = (Float(isWide ? u : v), Float(isWide ? v : u))
      return 0.05 + 0.4 * IntegerNoise.fractal(along / 640, across / 40, octaves: 6, seed: 8)
    }
  }

  /// Also of frames that are too thin for a pyramid.
  @Test(arguments: [
    PixelSize(width: 60_000, height: 8), PixelSize(width: 8, height: 60_000),
    PixelSize(width: 9000, height: 30), PixelSize(width: 5, height: 7001),
  ])
  func shiftsOfThinFramesAreFound(size: PixelSize) throws {
    let isWide = size.width >= size.height
    for pixels in [0, 1, 120, -77] {
      let (x, y) = isWide ? (pixels, 0) : (0, pixels)
      let moved = try scene(size, right: 2 * x, down: 2 * y)
      let own = try scene(size)
      let found = try ShiftSearch(own.size).shift(of: moved, against: own, workers: 2)
      #expect(found == PixelPoint(x: x, y: y), "\(size) moved by \(pixels) pixels: \(found)")
    }
  }

  @Test func shiftsInBothDirectionsAreFound() throws {
    let size = PixelSize(width: 180, height: 120)
    let (own, moved) = (try scene(size), try scene(size, right: -14, down: 8))
    let found = try ShiftSearch(own.size).shift(of: moved, against: own, workers: 2)
    #expect(found == PixelPoint(x: -7, y: 4))
  }

  /// A fixed number per pixel plus a constant, whatever the shape.
  @Test func workGrowsWithTheNumberOfPixels() {
    let sides = [1, 2, 3, 7, 23, 24, 60, 96, 97, 750, 5000, 30_000, 524_288]
    for width in sides {
      for height in sides {
        let size = PixelSize(width: width, height: height)
        let comparisons = ShiftSearch(size).comparisons
        #expect(comparisons <= 32 * size.area + 626 * 96 * 96, "\(size): \(comparisons)")
      }
    }
  }

  @Test func nothingInCommonIsNoShift() throws {
    let dark = try luminance(PixelSize(width: 4000, height: 20)) { _, _ in 0.2 }
    let found = try ShiftSearch(dark.size).shift(of: dark, against: dark, workers: 1)
    #expect(found == PixelPoint(x: 0, y: 0))
  }
}
