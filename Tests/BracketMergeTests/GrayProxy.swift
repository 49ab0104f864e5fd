import ImageCore
import RawDecode
import RawSensor

@testable import BracketMerge

extension LuminanceProxy {
  /// A gray frame of `time` times the shortest exposure, with the values `value`.
  init(gray size: PixelSize, time: Float, _ value: (_ x: Int, _ y: Int) -> Float) throws {
    let samples = try RawSamples(of: Float.self, stride: size.width, rows: size.height) { target in
      for y in 0..<size.height {
        for x in 0..<size.width { target.start[y * size.width + x] = value(x, y) }
      }
    }
    let data = SensorData(
      size: size, layout: .monochrome, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [0], scale: SIMD4(repeating: 1)))
    try self.init(
      try LinearLevels(data, balance: SIMD4(repeating: 1)),
      FrameNoise(
        shot: SIMD4(repeating: 1e-5), read: SIMD4(repeating: 4e-8),
        saturation: SIMD4(repeating: 1)), time: time,
      channels: SampleChannels(size, .monochrome), workers: 2)
  }
}
