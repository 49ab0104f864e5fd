package import ImageCore
package import RawData
package import RawSensor
import SyntheticRaw

/// Color filter patterns, sensors of known scenes, and readers for the tests of the sensor stages.
package enum SensorFixture {
  package static let xTransRows: [[UInt8]] = [
    [1, 0, 1, 1, 2, 1], [2, 1, 2, 0, 1, 0], [1, 0, 1, 1, 2, 1],
    [1, 2, 1, 1, 0, 1], [0, 1, 0, 2, 1, 2], [1, 2, 1, 1, 0, 1],
  ]

  /// Fujifilm's pattern from column `x`, row `y` on.
  package static func xTrans(x: Int = 0, y: Int = 0) -> CFA {
    let channels = (0..<36).map { xTransRows[($0 / 6 + y) % 6][($0 % 6 + x) % 6] }
    return CFA(width: 6, height: 6, channels: channels)
  }

  /// The four Bayer patterns: RGGB, GRBG, GBRG, BGGR.
  package static let bayers = [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]].map {
    CFA(width: 2, height: 2, channels: $0.map { UInt8($0) })
  }

  /// Linear float samples, black 0, white 1, from `scene(x, y, channel)`.
  package static func sensor(
    _ width: Int, _ height: Int, _ cfa: CFA, scene: (Int, Int, Int) -> Float
  ) -> SensorData {
    let samples = certain {
      try RawSamples(of: Float.self, stride: width, rows: height) { out in
        for y in 0..<height {
          for x in 0..<width { out[y * width + x] = scene(x, y, cfa.channel(x: x, y: y)) }
        }
      }
    }
    return SensorData(
      size: PixelSize(width: width, height: height), layout: .mosaic(cfa), samples: samples,
      levels: levels())
  }

  package static func levels() -> SensorLevels {
    SensorLevels(patternWidth: 1, patternHeight: 1, black: [0], scale: SIMD4(repeating: 1))
  }

  /// The complete picture, read at once.
  package static func picture(
    _ data: SensorData, balance: SIMD4<Float> = SIMD4(repeating: 1),
    _ settings: SensorSettings = SensorSettings()
  ) throws -> Image<CameraRGB> {
    let pipeline = try SensorPipeline(data, balance: balance, settings: settings)
    return try Image(size: pipeline.size, info: pipeline.info) { buffer throws(PixelError) in
      try pipeline.read(PixelRect(pipeline.size), into: buffer)
    }
  }

  /// A number in 0..<1 that looks random but depends on position and seed only.
  package static func hash(_ x: Int, _ y: Int, _ seed: Int = 0) -> Float {
    var h = UInt64(bitPattern: Int64(x &* 73_856_093 ^ y &* 19_349_663 ^ seed &* 83_492_791))
    h = (h ^ (h >> 30)) &* 0xbf58_476d_1ce4_e5b9
    h = (h ^ (h >> 27)) &* 0x94d0_49bb_1331_11eb
    return Float((h ^ (h >> 31)) >> 40) / Float(1 << 24)
  }

  /// Nearly normal noise of standard deviation 1.
  package static func noise(_ x: Int, _ y: Int, _ seed: Int = 0) -> Float {
    var sum: Float = 0
    for i in 0..<12 { sum += hash(x, y, seed &* 12 &+ i) }
    return sum - 6
  }

  /// A scene with texture, edges, colors and overexposed spots that end at 1.0.
  package static func busy(_ x: Int, _ y: Int, _ c: Int) -> Float {
    let (fx, fy) = (Float(x), Float(y))
    let tint: [Float] = [0.8, 1, 0.6, 0.9]
    let wave = 0.4 + 0.3 * zoneWave(fx, fy, c)
    let patch: Float = (x / 23 + y / 17) % 3 == c % 3 ? 0.25 : 0
    let spot: Float = (x / 40 + y / 40) % 4 == 0 ? 0.9 : 0
    return min((wave + patch + spot) * tint[c] + 0.01 * noise(x, y, c) - 0.03, 1)
  }

  private static func zoneWave(_ x: Float, _ y: Float, _ c: Int) -> Float {
    let phase = (x * x + y * y) * 0.004 + Float(c) * 0.3
    return phase.truncatingRemainder(dividingBy: 6.283) > 3.14 ? 0.7 : -0.7
  }
}
