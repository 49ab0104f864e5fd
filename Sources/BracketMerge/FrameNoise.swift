import ImageCore
import RawDecode
import RawFilter
import RawSensor

/// The noise and the saturation of one frame, in its own linear values before white balance: the
/// variance of a value x of 0…1 in channel c is `shot[c]` · x + `read[c]`.
struct FrameNoise: Sendable, Hashable {
  var shot: SIMD4<Float>
  var read: SIMD4<Float>
  /// From which value on each channel is saturated; infinite where none is.
  var saturation: SIMD4<Float>

  /// Minimum variance at black: a frame without noise would get all of the weight.
  private static let minRead: Float = 1e-10

  /// The noise of `frames` with the samples `data`: as their files declare, else estimated. Frames
  /// of one ISO speed have the same sensor noise, so the median of their estimates is used for all
  /// of them.
  static func measured(
    _ frames: [BracketFrame], _ data: [SensorData], workers: Int
  ) throws(PixelError) -> [FrameNoise] {
    let even = SIMD4<Float>(repeating: 1)
    let models = try zip(frames, data).map { frame, data throws(PixelError) in
      let info = frame.filter.file.info
      return try NoiseModel(
        data, profile: info.noiseProfile, iso: frame.filter.properties.isoSpeed.map(Double.init),
        balance: even, workers: workers)
    }
    return try frames.indices.map { i throws(PixelError) in
      var (shot, read) = (models[i].shot, models[i].read)
      if frames[i].filter.file.info.noiseProfile.isEmpty {
        let speed = frames[i].filter.properties.isoSpeed
        let alike = frames.indices.filter {
          frames[$0].filter.properties.isoSpeed == speed
            && frames[$0].filter.file.info.noiseProfile.isEmpty
        }
        shot = SIMD3(repeating: median(alike.map { models[$0].shot.y }))
        read = SIMD3(repeating: median(alike.map { models[$0].read.y }))
      }
      return FrameNoise(
        shot: SIMD4(shot, shot.y), read: max(SIMD4(read, read.y), minRead),
        saturation: try SaturationLevel.threshold(of: data[i], workers: workers))
    }
  }

  /// Structure of the scene only adds to an estimate, so the lower one of the middle pair.
  private static func median(_ values: [Float]) -> Float {
    values.sorted()[(values.count - 1) / 2]
  }

  private static func max(_ values: SIMD4<Float>, _ minimum: Float) -> SIMD4<Float> {
    pointwiseMax(values, SIMD4(repeating: minimum))
  }
}
