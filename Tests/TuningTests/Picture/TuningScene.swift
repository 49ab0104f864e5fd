import Foundation
import ImageCore
import RawFilter
import SyntheticRaw
import TestSupport

@testable import Tuning

/// A simulated raw in a folder that is deleted with the value.
struct TuningScene {
  let folder: TestFolder
  let path: String
  /// Columns and rows of the picture as stored.
  let size: PixelSize

  /// `pixels`: linear BT.2020, 1.0 = white, of the pixels of the picture.
  init(
    _ size: PixelSize = PixelSize(width: 480, height: 320), orientation: Orientation = .up,
    noise: Float = 0, change: (inout SimulatedSensor) -> Void = { _ in },
    pixels: @escaping @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) throws {
    folder = try TestFolder()
    self.size = size
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.cropMargin, sensor.border) = (0, 0, PixelSize(width: 0, height: 0))
    (sensor.camera, sensor.white, sensor.kelvin) = (.neutral, .d65, 6504)
    (sensor.shotNoise, sensor.readNoise) = (noise, noise / 1000)
    change(&sensor)
    var writer = sensor.expose(size: size, light: pixels)
    writer.orientation = orientation
    writer.metadata = SunsetFixture.metadata(uniqueModel: writer.camera.uniqueModel)
    path = try folder.write(try writer.bytes, to: "scene.dng")
  }

  /// Smooth gradients with edges, some of them far above white.
  static func busy(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let wave = 0.5 + 0.5 * sin(Float(x) / 9) * cos(Float(y) / 7)
    let level = Float(x) / 240 * wave + (y / 20 % 2 == 0 ? 0.3 : 0.02)
    let spot: Float = (x - 300) * (x - 300) + (y - 100) * (y - 100) < 900 ? 4 : 0
    return SIMD3(level + spot, level * 0.8 + spot, level * wave + spot)
  }

  func session() throws -> TuningSession { try TuningSession(path: Array(path.utf8)) }
}

extension TuningRequest {
  /// All of the picture at full size.
  static func full(_ settings: RAWSettings = RAWSettings()) -> TuningRequest {
    TuningRequest(settings: settings, fit: PixelSize(width: 10_000, height: 10_000))
  }
}

extension TuningPicture {
  /// Red, green and blue at a pixel of an 8-bit picture.
  subscript(x: Int, y: Int) -> SIMD3<UInt8> {
    let at = 4 * (y * size.width + x)
    return SIMD3(bytes[at], bytes[at + 1], bytes[at + 2])
  }
}
