import ImageCore
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct ResamplingTests {
  static let source = certain {
    try Image<CameraRGB>(
      size: PixelSize(width: 37, height: 29), info: .init()
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<29 {
          for x in 0..<37 {
            planes.row(plane, y)[x] = Float((x * 7 + y * 13 + plane * 5) % 23) / 23 - 0.1
          }
        }
      }
    }
  }

  static func reduced(
    _ size: PixelSize, from source: Image<CameraRGB> = source, tile: Int = 1000
  ) throws -> Image<CameraRGB> {
    let resampling = Resampling(
      size: size, source: source.size, originX: 0, originY: 0, spanX: Double(source.size.width),
      spanY: Double(source.size.height))
    let pool = BufferPool()
    return try Image(size: size, info: .init()) { planes throws(PixelError) in
      let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      for top in stride(from: 0, to: size.height, by: tile) {
        for left in stride(from: 0, to: size.width, by: tile) {
          let rect = PixelRect(x: left, y: top, width: tile, height: tile)
            .intersection(PixelRect(size))
          try resampling.read(rect, from: source, into: part, pool: pool)
          for plane in 0..<3 {
            for y in 0..<rect.height {
              for x in 0..<rect.width {
                planes.row(plane, top + y)[left + x] = part.row(plane, y)[x]
              }
            }
          }
        }
      }
    }
  }

  @Test func sameSizeReturnsTheSourceBitForBit() throws {
    let same = try Self.reduced(Self.source.size)
    for y in 0..<29 { for x in 0..<37 { #expect(same[x, y] == Self.source[x, y]) } }
  }

  @Test func keepsTheMeanAndTheRange() throws {
    func mean(_ image: Image<CameraRGB>) -> SIMD3<Float> {
      var sum = SIMD3<Float>()
      for y in 0..<image.size.height { for x in 0..<image.size.width { sum += image[x, y] } }
      return sum / Float(image.size.area)
    }
    for size in [PixelSize(width: 18, height: 14), PixelSize(width: 1, height: 1)] {
      let small = try Self.reduced(size)
      let difference = mean(small) - mean(Self.source)
      #expect(max(difference.max(), -difference.min()) < 1e-5)
      for y in 0..<size.height {
        for x in 0..<size.width {
          #expect(small[x, y].max() <= 22.0 / 23 - 0.1 + 1e-6 && small[x, y].min() >= -0.1 - 1e-6)
        }
      }
    }
  }

  @Test func isTheSameHoweverItIsCut() throws {
    let size = PixelSize(width: 23, height: 17)
    let (whole, cut) = (try Self.reduced(size), try Self.reduced(size, tile: 5))
    for y in 0..<17 { for x in 0..<23 { #expect(whole[x, y] == cut[x, y]) } }
  }

  @Test func halvingAveragesFourPixels() throws {
    let even = try Image<CameraRGB>(size: PixelSize(width: 4, height: 2), info: .init()) { planes in
      for plane in 0..<3 {
        for y in 0..<2 { for x in 0..<4 { planes.row(plane, y)[x] = Float(x + 4 * y) } }
      }
    }
    let half = try Self.reduced(PixelSize(width: 2, height: 1), from: even)
    #expect(half[0, 0] == SIMD3(repeating: 2.5) && half[1, 0] == SIMD3(repeating: 4.5))
  }
}
