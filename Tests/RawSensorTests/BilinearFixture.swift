import ImageCore
import RawTestSupport

@testable import RawData
@testable import RawSensor

extension SensorFixture {
  /// The full picture by bilinear interpolation, with which the demosaics of a pattern are
  /// compared.
  static func bilinear(
    _ data: SensorData, balance: SIMD4<Float> = SIMD4(repeating: 1),
    _ settings: SensorSettings = SensorSettings()
  ) throws -> Image<CameraRGB> {
    let pipeline = try SensorPipeline(data, balance: balance, settings: settings)
    return try NoiseFixture.rendered(pipeline.demosaicing { PatternDemosaic($0) })
  }
}
