import Foundation
import ImageCore
import SyntheticRaw

/// A small simulated raw whose light grows along its columns.
enum SmallRaw {
  /// The bytes of a DNG, 120 by 88 pixels; `peak` is the light of the brightest column, 1.0 = white.
  static func bytes(peak: Float = 2) throws -> [UInt8] {
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.cropMargin) = (0, 8)
    var writer = sensor.expose(size: PixelSize(width: 120, height: 88)) { x, y in
      SIMD3(1, 0.8, y < 44 ? 1 : 0.4) * (peak * Float(x) / 119)
    }
    writer.metadata = SunsetFixture.metadata(uniqueModel: writer.camera.uniqueModel)
    return try writer.bytes
  }
}
