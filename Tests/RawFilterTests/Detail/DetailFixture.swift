import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Scene-linear pictures of known values, and what is measured on them.
enum DetailFixture {
  /// A picture of `value(x, y)`; its peak is the maximum of the pixels.
  static func picture(
    _ width: Int, _ height: Int, value: (Int, Int) -> SIMD3<Float>
  ) throws -> Image<SceneLinear> {
    var peak: Float = 0
    let size = PixelSize(width: width, height: height)
    func fill(_ planes: PlanarBuffer) {
      for y in 0..<height {
        for x in 0..<width {
          let value = value(x, y)
          for c in 0..<3 { planes.row(c, y)[x] = value[c] }
          peak = max(peak, value.max())
        }
      }
    }
    let first = try Image<SceneLinear>(size: size, info: .init(peak: 0), fill: fill)
    return try Image(size: size, info: .init(peak: peak)) { planes throws(PixelError) in
      try first.read(PixelRect(size), into: planes)
    }
  }

  /// A neutral picture of `value(x, y)`.
  static func gray(_ width: Int, _ height: Int, value: (Int, Int) -> Float) throws -> Image<
    SceneLinear
  > {
    try picture(width, height) { SIMD3(repeating: value($0, $1)) }
  }

  /// Extreme values beside each other.
  static var extremes: Image<SceneLinear> {
    get throws {
      let values: [Float] = [0, -1, 1e-9, 65_536 * 64, -65_536, 1, 0.5, 1e6]
      return try picture(72, 70) { x, y in
        SIMD3(values[(x * 5 + y) % 8], values[(x + y * 3) % 8], values[(x / 2 + y) % 8])
      }
    }
  }

  /// How far `change` moves the pixels of a picture of one `value`.
  static func largestChange(
    of value: Float, by change: (Image<SceneLinear>) throws -> Image<SceneLinear>
  ) throws -> Float {
    let after = try change(try gray(70, 66) { _, _ in value })
    var worst: Float = 0
    for y in 0..<66 { for x in 0..<70 { worst = max(worst, abs(after[x, y].y - value)) } }
    return worst
  }

  /// Texture, edges, noise, colors, values far above white and below black.
  static let busy = certain {
    try picture(150, 110) { x, y in
      var color = SIMD3<Float>(
        SensorFixture.busy(x, y, 0), SensorFixture.busy(x, y, 1), SensorFixture.busy(x, y, 2))
      if x > 90, y < 40 { color *= 12 }
      if x < 30, y > 80 { color *= 0.02 }
      if (x / 7 + y / 9) % 5 == 0 { color += SIMD3(0.3, -0.2, 0.1) }
      return color
    }
  }

  /// All of `source`, read in rectangles of `width` × `height`, from the last to the first.
  static func read(
    _ source: any PixelSource<SceneLinear>, _ width: Int = 10_000, _ height: Int = 10_000
  ) throws -> Image<SceneLinear> {
    let size = source.size
    return try Image(size: size, info: source.info) { planes throws(PixelError) in
      let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      for top in stride(from: 0, to: size.height, by: height).reversed() {
        for left in stride(from: 0, to: size.width, by: width).reversed() {
          let rect = PixelRect(x: left, y: top, width: width, height: height)
            .intersection(PixelRect(size))
          try source.read(rect, into: part)
          for plane in 0..<3 {
            for y in 0..<rect.height {
              planes.row(plane, top + y).from(left)
                .update(from: part.row(plane, y), count: rect.width)
            }
          }
        }
      }
    }
  }

  /// Number of pixels that are not the same bits.
  static func differences(_ a: Image<SceneLinear>, _ b: Image<SceneLinear>) -> Int {
    var count = 0
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        let (p, q) = (a[x, y], b[x, y])
        if (0..<3).contains(where: { p[$0].bitPattern != q[$0].bitPattern }) { count += 1 }
      }
    }
    return count
  }

  /// How many pixels depend on how `stage` is cut or on how many threads read it.
  static func cutDependence(_ stage: any PixelSource<SceneLinear>) throws -> Int {
    let whole = try read(stage)
    return try [(64, 64), (37, 23), (150, 5)].reduce(0) {
      $0 + differences(whole, try read(stage, $1.0, $1.1))
    } + differences(whole, try Image(rendering: stage, bandHeight: 16, workers: 4))
      + differences(whole, try readTwice(stage, 20))
  }

  /// All of `source`, read in a lane of rectangles of `height` rows, each of them twice.
  private static func readTwice(
    _ source: any PixelSource<SceneLinear>, _ height: Int
  ) throws -> Image<SceneLinear> {
    let (size, lane) = (source.size, ReadingLane())
    return try Image(size: size, info: source.info) { planes throws(PixelError) in
      let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      for y in stride(from: 0, to: size.height, by: height) {
        let rect = PixelRect(x: 0, y: y, width: size.width, height: min(height, size.height - y))
        for _ in 0..<2 { try lane.read(rect, of: source, into: part) }
        for plane in 0..<3 {
          for row in 0..<rect.height {
            planes.row(plane, y + row).update(from: part.row(plane, row), count: rect.width)
          }
        }
      }
    }
  }

  static func luminance(_ rgb: SIMD3<Float>) -> Float { (rgb * LuminanceGain.weights).sum() }

  /// Mean of log2(max(Y, 2⁻¹²)).
  static func meanStops(_ image: Image<SceneLinear>) -> Double {
    var sum = 0.0
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        sum += Double(Foundation.log2(max(luminance(image[x, y]), 1 / 4096)))
      }
    }
    return sum / Double(image.size.area)
  }

  /// Whether all values are finite.
  static func isFinite(_ image: Image<SceneLinear>) -> Bool {
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let value = image[x, y]
        guard value.x.isFinite, value.y.isFinite, value.z.isFinite else { return false }
      }
    }
    return true
  }

  /// Largest change of a channel as a fraction of its pixel's sum of magnitudes.
  static func chromaticityError(_ a: Image<SceneLinear>, _ b: Image<SceneLinear>) -> Float {
    var worst: Float = 0
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        let (p, q) = (a[x, y], b[x, y])
        let (sum, other) = (
          abs(p.x) + abs(p.y) + abs(p.z), abs(q.x) + abs(q.y) + abs(q.z)
        )
        guard sum > 1e-6, other > 1e-6 else { continue }
        for c in 0..<3 { worst = max(worst, abs(p[c] / sum - q[c] / other)) }
      }
    }
    return worst
  }
}
